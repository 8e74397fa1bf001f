import { readNeighbourSettings, readProcessSettings } from '@figbase/kit'
import { readAllSettings } from '../check-settings.js'
import { type Finding, ok, problem, warning } from './finding.js'
import { closest } from './similar.js'

/** What only this installation would call so. */
const ownPrefix = /^FIGBASE_/
const secretCharsMin = 32

/** Reads every setting as starts do, and looks for names that are none. */
export function checkSettings(env: NodeJS.ProcessEnv): Finding[] {
  const all = readAllSettings(env, [readProcessSettings, readNeighbourSettings])
  const problems = all.problems.map((text) => {
    const [name = ''] = text.split(/[: ]/)
    return problem(name, text, 'Correct it, or leave it out: Figbase does not start with it.')
  })
  const known = all.settings.map(({ name }) => name)
  const found = [...problems, ...unknown(env, known), ...secret(env)]
  const count = Object.keys(env).filter((name) => env[name] && known.includes(name)).length
  return found.length > 0 ? found : [ok('settings', `${count} are set, and all are valid`)]
}

function unknown(env: NodeJS.ProcessEnv, known: string[]): Finding[] {
  const names = Object.keys(env).filter((name) => !known.includes(name) && !used.has(name))
  return names.flatMap((name) => {
    const meant = closest(name, known)
    if (!meant && !ownPrefix.test(name)) return []
    const remedy = meant ? `Is it ${meant}?` : 'Leave it out, or look for its name in the README.'
    return [warning(name, 'is no setting, and does nothing', remedy)]
  })
}

/** Of this repository, but no settings of the product. */
const used = new Set(['FIGBASE_CI', 'FIGBASE_DEBUG'])

function secret({ FIGBASE_SECRET_KEY: key = '' }: NodeJS.ProcessEnv): Finding[] {
  if (key === '' || key.length >= secretCharsMin) return []
  return [
    warning(
      'FIGBASE_SECRET_KEY',
      `has ${key.length} characters only: what it signs can be guessed`,
      `Change it to ${secretCharsMin} random ones or more, with rotate-keys.`,
    ),
  ]
}

import { formerNamesIn } from '@figbase/kit/config'
import { readPeerSettings, readProcessSettings } from '@figbase/kit/settings'
import { readAllSettings } from '../check-settings.js'
import { type Finding, ok, problem, warning } from './finding.js'
import { closest } from './similar.js'

/** Unknown variables with this prefix are reported. */
const ownPrefix = /^FIGBASE_/
const secretCharsMin = 32

/** Validates all settings as at startup, and reports unknown names. */
export function checkSettings(env: NodeJS.ProcessEnv): Finding[] {
  const all = readAllSettings(env, [readProcessSettings, readPeerSettings])
  const problems = all.problems.map((text) => {
    const [name = ''] = text.split(/[: ]/)
    return problem(name, text, 'Correct or unset it: Figbase does not start with it.')
  })
  const former = formerNamesIn(env).map((names) => names.former)
  const known = [...all.settings.map(({ name }) => name), ...former]
  const found = [...problems, ...unknown(env, known), ...renamed(env), ...secret(env)]
  const count = Object.keys(env).filter((name) => env[name] && known.includes(name)).length
  return found.length > 0 ? found : [ok('settings', `${count} are set, all valid`)]
}

function unknown(env: NodeJS.ProcessEnv, known: string[]): Finding[] {
  const names = Object.keys(env).filter((name) => !known.includes(name) && !notSettings.has(name))
  return names.flatMap((name) => {
    const meant = closest(name, known)
    if (!meant && !ownPrefix.test(name)) return []
    const remedy = meant
      ? `Did you mean ${meant}?`
      : 'Leave it out, or look for its name in deploy/settings.md.'
    return [warning(name, 'is no setting, and does nothing', remedy)]
  })
}

const renamed = (env: NodeJS.ProcessEnv): Finding[] =>
  formerNamesIn(env).map(({ former, name }) =>
    warning(former, `is now named ${name}`, 'Rename it. The former name still works.'),
  )

/** Variables of this repository that are not settings of the product. */
const notSettings = new Set(['FIGBASE_CI', 'FIGBASE_DEBUG'])

function secret({ FIGBASE_SECRET_KEY: key = '' }: NodeJS.ProcessEnv): Finding[] {
  if (key === '' || key.length >= secretCharsMin) return []
  return [
    warning(
      'FIGBASE_SECRET_KEY',
      `has only ${key.length} characters: its signatures can be forged`,
      `Change it to at least ${secretCharsMin} random characters with figbase-server rotate-keys.`,
    ),
  ]
}

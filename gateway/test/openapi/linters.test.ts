import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { installTools } from '@figbase/kit/testing/tools'
import { newest, type Version, versions } from '../../src/versions.js'
import { documentOf } from './documents.js'

/** The rules of both linters that the document breaks, and why. */
const exceptions = {
  redocly: {
    'no-path-trailing-slash': 'the paths of the specification end with a slash',
  },
  spectral: {
    'path-keys-no-trailing-slash': 'the paths of the specification end with a slash',
    'info-contact': 'each installation has its own operators, and shows no address of them',
  },
}

const off = (rules: object) =>
  Object.fromEntries(Object.keys(rules).map((rule): [string, 'off'] => [rule, 'off']))

let folder = ''
let require: NodeJS.Require
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'figbase-openapi-'))
  require = createRequire(join(await installTools('test/openapi-tools'), 'package.json'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The problems that Redocly CLI finds, without those of the listed rules. */
async function lintWithRedocly(version: Version, rules: object): Promise<string[]> {
  const redocly = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const file = join(folder, `${version}.json`)
  const config = join(folder, 'redocly.yaml')
  await writeFile(file, JSON.stringify(documentOf(version)))
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ extends: ['recommended-strict'], rules: off(rules) }))
  const args = [redocly, 'lint', `--config=${config}`, '--format=json', '--max-problems=1000', file]
  // It would report its use, and look for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { env, cwd: folder, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string }) => error,
  )
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

type Spectral = {
  setRuleset(ruleset: object): void
  run(text: string): Promise<{ code: string; path: string[]; message: string }[]>
}

/** The same of Spectral. */
async function lintWithSpectral(version: Version, rules: object): Promise<string[]> {
  const { Spectral }: { Spectral: new () => Spectral } = require('@stoplight/spectral-core')
  const { oas } = require('@stoplight/spectral-rulesets')
  const linter = new Spectral()
  linter.setRuleset({ extends: [[oas, 'recommended']], rules: off(rules) })
  const found = await linter.run(JSON.stringify(documentOf(version)))
  return found.map(({ code, path, message }) => `${code}: ${path.join('.')}: ${message}`)
}

/** The others differ by routes and members that these have. */
for (const version of [versions[0], newest]) {
  test(`${version}: Redocly CLI finds no problem`, async () => {
    assert.deepEqual(await lintWithRedocly(version, exceptions.redocly), [])
  })

  test(`${version}: Spectral finds no problem`, async () => {
    assert.deepEqual(await lintWithSpectral(version, exceptions.spectral), [])
  })
}

test('each exception is needed', async () => {
  const version = versions[0]
  const needed = (problems: string[]) => [...new Set(problems.map((one) => one.split(':')[0]))]
  assert.deepEqual(
    needed(await lintWithRedocly(version, {})).sort(),
    Object.keys(exceptions.redocly).sort(),
  )
  assert.deepEqual(
    needed(await lintWithSpectral(version, {})).sort(),
    Object.keys(exceptions.spectral).sort(),
  )
})

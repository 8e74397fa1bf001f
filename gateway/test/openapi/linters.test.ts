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

let folder = ''
let require: NodeJS.Require
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'figbase-openapi-'))
  require = createRequire(join(await installTools('test/openapi-tools'), 'package.json'))
})
after(() => rm(folder, { recursive: true, force: true }))

type Problem = { rule: string; message: string }

async function lintWithRedocly(version: Version): Promise<Problem[]> {
  const redocly = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const file = join(folder, `${version}.json`)
  const config = join(folder, 'redocly.yaml')
  await writeFile(file, JSON.stringify(documentOf(version)))
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ extends: ['recommended-strict'] }))
  const args = [
    redocly,
    'lint',
    `--config=${config}`,
    '--format=json',
    '--max-problems=10000',
    file,
  ]
  // It would report its use, and look for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { env, cwd: folder, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string }) => error,
  )
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }
  return problems.map(({ ruleId, message }) => ({ rule: ruleId, message }))
}

type Spectral = {
  setRuleset(ruleset: object): void
  run(text: string): Promise<{ code: string; path: string[]; message: string }[]>
}

async function lintWithSpectral(version: Version): Promise<Problem[]> {
  const { Spectral }: { Spectral: new () => Spectral } = require('@stoplight/spectral-core')
  const { oas } = require('@stoplight/spectral-rulesets')
  const linter = new Spectral()
  linter.setRuleset({ extends: [[oas, 'recommended']] })
  const found = await linter.run(JSON.stringify(documentOf(version)))
  return found.map(({ code, path, message }) => ({
    rule: code,
    message: `${path.join('.')}: ${message}`,
  }))
}

/** Every exception is needed, and nothing else is found. */
function assertOnly(problems: Problem[], rules: object) {
  const others = problems.filter(({ rule }) => !(rule in rules))
  assert.deepEqual(others, [])
  const found = new Set(problems.map(({ rule }) => rule))
  assert.deepEqual([...found].sort(), Object.keys(rules).sort())
}

/** The others differ by routes and members that these have. */
for (const version of [versions[0], newest]) {
  test(`${version}: Redocly CLI finds no other problem`, async () => {
    assertOnly(await lintWithRedocly(version), exceptions.redocly)
  })

  test(`${version}: Spectral finds no other problem`, async () => {
    assertOnly(await lintWithSpectral(version), exceptions.spectral)
  })
}

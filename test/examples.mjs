#!/usr/bin/env node
// Writes the examples of the OpenAPI document, from the answers in end-to-end tests: npm run examples
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'gateway/openapi-examples.json')
/** Together, these get a successful answer with JSON from every route that has one. */
const tests = [
  'account-deletion',
  'ai-assign',
  'ai-figures',
  'ai-replies',
  'ai-stories',
  'ai-usage',
  'authorization-matrix',
  'batch',
  'comments.test',
  'device-login',
  'find-by-hash',
  'git.test',
  'plans',
  'search.test',
  'ssh-keys',
  'staff',
  'stories.test',

  'users',
  'webhooks',
  'billing',
].map((name) => `e2e/${name}`)

const folder = mkdtempSync(join(tmpdir(), 'figbase-answers-'))
try {
  const run = spawnSync(process.execPath, [join(root, 'test/run.mjs'), '--all-in-one', ...tests], {
    env: { ...process.env, FIGBASE_RECORD_ANSWERS: folder },
    stdio: 'inherit',
  })
  if (run.status !== 0) throw new Error('the tests failed: no examples are written')
  const { chooseExamples } = await import('./dist/src/examples/choose.js')
  writeFileSync(target, `${JSON.stringify(chooseExamples(answersIn(folder)), null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function* answersIn(folder) {
  for (const name of readdirSync(folder)) {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n')
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
}

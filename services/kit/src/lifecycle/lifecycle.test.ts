import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const program = `
  import { mock } from 'node:test'
  mock.timers.enable({ apis: ['setTimeout'] })
  const { Lifecycle } = await import('${new URL('lifecycle.js', import.meta.url)}')
  const lifecycle = new Lifecycle()
  let end
  const ended = new Promise((resolve) => { end = resolve })
  const pool = { end: () => ended }
  lifecycle.onStop(() => pool.end())
  lifecycle.onStop(() => 'at once')
  const stopped = lifecycle[Symbol.asyncDispose]()
  await new Promise(setImmediate)
  mock.timers.tick(10_000)
  end()
  await stopped
`

test('logs the source of a slow step only', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  const reported = stderr.trim().split('\n')
  assert.equal(reported.length, 1, stderr)
  assert.equal(JSON.parse(reported[0] ?? '').step, '() => pool.end()')
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const program = `
  const { runProcess } = await import('${new URL('../src/service/index.js', import.meta.url)}')
  await runProcess(async () => ({
    port: 1,
    [Symbol.asyncDispose]: () => new Promise((resolve) => setTimeout(resolve, process.argv[1])),
  }))
  setInterval(() => {}, 1000)
`

/** The end of a process on SIGTERM that needs this many milliseconds to shut down. */
async function endOf(ms: number) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, `${ms}`], {
    env: { PATH: process.env.PATH, SHUTDOWN_TIMEOUT: '10ms' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.on('data', (text) => {
    output += text
  })
  await once(child, 'message')
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  return { code, output }
}

test('a process exits with a message if its shutdown times out', async () => {
  assert.deepEqual(await endOf(1), { code: 0, output: '' })
  const output = 'shutdown timed out (SHUTDOWN_TIMEOUT)\n'
  assert.deepEqual(await endOf(600_000), { code: 1, output })
})

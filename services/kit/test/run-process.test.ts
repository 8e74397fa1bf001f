import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const program = `
  const { runProcess } = await import('${new URL('../src/index.js', import.meta.url)}')
  await runProcess(async () => ({
    port: 1,
    [Symbol.asyncDispose]: () => new Promise((resolve) => setTimeout(resolve, process.argv[1])),
  }))
  setInterval(() => {}, 1000)
`

/** How a process ends on SIGTERM that needs so many milliseconds to stop. */
async function endOf(ms: number) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, `${ms}`], {
    env: { PATH: process.env.PATH, SHUTDOWN_TIMEOUT: '10ms' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  await once(child, 'message')
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  return { code, said }
}

test('a process that cannot stop ends all the same, and says so', async () => {
  assert.deepEqual(await endOf(1), { code: 0, said: '' })
  const said = 'not all was finished within SHUTDOWN_TIMEOUT\n'
  assert.deepEqual(await endOf(600_000), { code: 1, said })
})

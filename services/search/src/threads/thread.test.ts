import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startThread, ThreadEnded } from './thread.js'

/** A thread that runs `code` for each message. */
const threadOf = (code: string) =>
  startThread<string, string>(
    new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads'
        parentPort.on('message', ({ number, request }) => { ${code} })`)}`,
    ),
    'tests',
  )

for (const [how, code, message] of [
  ['exits', 'process.exit(3)', /ended with status 3/],
  ['throws', `throw new Error('a mistake')`, /failed/],
] as const) {
  test(`a thread that ${how} rejects what waits for it, and what comes later`, async () => {
    await using thread = threadOf(code)
    const isEnded = (err: unknown) => err instanceof ThreadEnded && message.test(err.message)
    await Promise.all([
      assert.rejects(thread.ask('a'), isEnded),
      assert.rejects(thread.ask('b'), isEnded),
    ])
    assert.ok(isEnded(await thread.ended))
    await assert.rejects(thread.ask('c'), isEnded)
  })
}

test('a thread that is disposed rejects what waits for it', async () => {
  const thread = threadOf('')
  const asked = assert.rejects(thread.ask('a'), ThreadEnded)
  await thread[Symbol.asyncDispose]()
  await asked
  await thread.ended
})

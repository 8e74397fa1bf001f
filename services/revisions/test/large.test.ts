import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { ada, type Message, startBench, transports, type } from './service.js'

const chunk = randomBytes(64 * 1024)
const chunks = 3200
const size = chunk.length * chunks

for (const transport of transports) {
  test(`200 MB up and down in bounded memory (${transport})`, async (t) => {
    await using bench = await startBench(transport)
    let peak = 0
    const before = process.memoryUsage().rss
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - before)
    }, 20)
    async function* upload(): AsyncGenerator<Message> {
      yield { part: { case: 'parent', value: { id: bench.figureId, type } } }
      for (let n = 0; n < chunks; n++) yield { part: { case: 'chunk', value: chunk } }
      yield { part: { case: 'objectEnd', value: { type: DataType.FILE } } }
      yield { part: { case: 'finish', value: {} } }
    }
    const started = performance.now()
    const { revision } = await bench.client.createRevision(upload(), ada)
    const uploaded = performance.now()
    assert.equal(revision?.sizeBytes, BigInt(size))
    let received = 0
    const id = revision.data[0]?.id ?? ''
    for await (const { part } of bench.client.readData({ id }, ada)) {
      if (part.case !== 'chunk') continue
      assert.ok(part.value.length <= 256 * 1024)
      received += part.value.length
    }
    const downloaded = performance.now()
    clearInterval(watch)
    assert.equal(received, size)
    const rate = (ms: number) => `${Math.round(size / 1000 / ms)} MB/s`
    t.diagnostic(`up ${rate(uploaded - started)}, down ${rate(downloaded - uploaded)}`)
    t.diagnostic(`memory grew by ${Math.round(peak / 2 ** 20)} MiB`)
    assert.ok(peak < 150 * 2 ** 20, `memory grew by ${peak} bytes`)
  })
}

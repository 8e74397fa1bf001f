import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { encodeBase64 } from './base64-encoder.js'

const bytesTotal = 256 * 2 ** 20

// The chunk sizes of the service, and of a socket.
for (const chunkBytes of [256 * 1024, 16_000]) {
  test(`encodes 256 MB in bounded memory, in chunks of ${chunkBytes} bytes`, async (t) => {
    const chunk = randomBytes(chunkBytes)
    async function* bytes() {
      for (let left = bytesTotal; left > 0; left -= chunkBytes) yield chunk.subarray(0, left)
    }
    const before = process.memoryUsage.rss()
    let peak = 0
    let pieces = 0
    let length = 0
    const start = process.cpuUsage()
    for await (const text of encodeBase64(bytes(), bytesTotal)) {
      length += text.length
      if (++pieces % 64 === 0) peak = Math.max(peak, process.memoryUsage.rss() - before)
    }
    const { user, system } = process.cpuUsage(start)
    t.diagnostic(`${Math.round(bytesTotal / (user + system))} MB/s of CPU time`)
    assert.equal(length, Math.ceil(bytesTotal / 3) * 4)
    assert.ok(peak < 60e6, `${peak} bytes`)
  })
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  createFigbase,
  download,
  findOrCreate,
  hashOf,
  type RandomAccess,
  upload,
} from '@figbase/client'
import { startFaultyProxy } from '@figbase/kit/testing'
import { deployment } from '../src/deployment.js'
import { signUp } from '../src/users.js'

const size = 2 * 2 ** 30
const breaks = 10
const memoryBytesMax = 160 * 2 ** 20

/** A file that is calculated: each MiB begins with another byte. */
function calculated(): RandomAccess {
  const blockBytes = 2 ** 20
  const block = new Uint8Array(randomBytes(blockBytes))
  return {
    size,
    async read(start, end) {
      const bytes = new Uint8Array(end - start)
      for (let at = start; at < end; ) {
        const within = at % blockBytes
        const part = block.subarray(within, Math.min(blockBytes, within + end - at))
        bytes.set(part, at - start)
        const number = Math.floor(at / blockBytes)
        if (within === 0) bytes[at - start] = number & 255
        at += part.length
      }
      return bytes
    },
  }
}

test('sends 2 GB over a connection that breaks ten times, with little memory, and reads them back', async (t) => {
  await using proxy = await startFaultyProxy(deployment.origin.origin)
  const { username, password } = await signUp()
  const figbase = createFigbase({ url: proxy.url, credentials: { username, password } })
  const { api_id: figure } = await findOrCreate(figbase, 'Large/Large/Large')
  const file = calculated()
  const hash = await hashOf(file)
  const before = process.memoryUsage().rss
  let largest = before
  const sample = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage().rss)
  }, 50)
  sample.unref()
  const cut = { cutAfterBytes: Math.floor(size / (breaks + 0.5)) }

  proxy.set({ ...cut, of: 'client' })
  const address = await upload(figbase, { figure }, file)
  const uploads = proxy.connections()
  proxy.set('none')
  const body = { figure, data: [{ name: 'large.bin', type: 'file' as const, upload: address }] }
  const { data } = await figbase.post('/revision/', { body, timeoutMs: 600_000 })
  assert.equal(data?.[0]?.hash, hash)

  proxy.set({ ...cut, of: 'server' })
  const { body: stream } = await download(figbase, data?.[0]?.api_id ?? '')
  let received = 0
  // The client compares the bytes with their hash.
  for await (const part of stream) received += part.length
  clearInterval(sample)
  assert.equal(received, size)
  const downloads = proxy.connections() - uploads
  const growth = largest - before
  t.diagnostic(
    `connections: ${uploads} and ${downloads}; memory: ${Math.round(growth / 2 ** 20)} MiB more`,
  )
  assert.ok(uploads > breaks && downloads >= breaks - 2, `${uploads} ${downloads}`)
  assert.ok(growth < memoryBytesMax, `${growth} bytes`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blake3 } from 'hash-wasm'
import { createHashThreads } from '../staging/hash-threads.js'

const pieceBytes = 64 * 1024

/** Sends the bytes as pieces in the same memory. */
async function digestOf(threads: ReturnType<typeof createHashThreads>, bytes: Uint8Array) {
  const memory = new SharedArrayBuffer(pieceBytes)
  const hash = threads.begin(memory)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes)
    new Uint8Array(memory).set(piece)
    await hash.update(piece.length)
  }
  const digest = await hash.digest()
  hash.end()
  return digest
}

const random = (seed: number) =>
  new Uint8Array(pieceBytes * 3 + seed * 1001).map((_, at) => (at * 31 + seed * 7) % 251)

test('concurrent hashes are independent, and their memory is reused', async () => {
  await using threads = createHashThreads(2)
  const objects = Array.from({ length: 40 }, (_, n) => random(n))
  const digests = await Promise.all(objects.map((bytes) => digestOf(threads, bytes)))
  for (const [n, bytes] of objects.entries()) assert.equal(digests[n], await blake3(bytes))
})

test('an abandoned hash frees the thread', async () => {
  await using threads = createHashThreads(1)
  const given = threads.begin(new SharedArrayBuffer(pieceBytes))
  const updating = given.update(pieceBytes)
  given.end()
  const bytes = random(1)
  assert.equal(await digestOf(threads, bytes), await blake3(bytes))
  await updating
})

test('a failing thread fails its hashes, and the next hash starts another thread', async () => {
  await using threads = createHashThreads(1)
  const bytes = random(2)
  // This is not a buffer, so the thread throws.
  const broken = threads.begin(1n as unknown as SharedArrayBuffer)
  await assert.rejects(broken.update(1))
  await assert.rejects(broken.digest())
  assert.equal(await digestOf(threads, bytes), await blake3(bytes))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rechunk } from './rechunk.js'

async function* chunksOf(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

test('keeps the bytes for every chunking', async () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, n) => n)
  for (const length of [1, 7, 8, 9, 16, 33, 100]) {
    const pieces: number[][] = []
    for await (const piece of rechunk(chunksOf(bytes, length), new Uint8Array(8))) {
      pieces.push([...piece])
    }
    assert.deepEqual(pieces.flat(), [...bytes])
    assert.deepEqual(
      pieces.map((piece) => piece.length),
      [...Array(12).fill(8), 4],
    )
  }
})

test('yields nothing for no bytes', async () => {
  for await (const _ of rechunk(chunksOf(new Uint8Array(), 1), new Uint8Array(8))) assert.fail()
})

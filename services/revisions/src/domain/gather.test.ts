import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from './gather.js'

async function* chunksOf(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

test('the bytes stay the same, however they are cut', async () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, n) => n)
  for (const length of [1, 7, 8, 9, 16, 33, 100]) {
    const pieces: number[][] = []
    for await (const piece of gather(chunksOf(bytes, length), new Uint8Array(8))) {
      pieces.push([...piece])
    }
    assert.deepEqual(pieces.flat(), [...bytes])
    assert.deepEqual(
      pieces.map((piece) => piece.length),
      [...Array(12).fill(8), 4],
    )
  }
})

test('nothing stays nothing', async () => {
  for await (const _ of gather(chunksOf(new Uint8Array(), 1), new Uint8Array(8))) assert.fail()
})

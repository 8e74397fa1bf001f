import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { test } from 'node:test'
import { shapeOf } from '../src/table-shape.js'

const shape = (...parts: string[]) =>
  shapeOf(Readable.toWeb(Readable.from(parts.map((part) => Buffer.from(part)))) as ReadableStream)

test('counts the rows below the header of a CSV', async () => {
  assert.deepEqual(await shape('a,b\n1,"x\ny"\n', '2,3\n'), { rows: 2, columns: ['a', 'b'] })
  assert.deepEqual(await shape('a;b\r\n1;2'), { rows: 1, columns: ['a', 'b'] })
  assert.deepEqual(await shape(''), { rows: 0, columns: [] })
})

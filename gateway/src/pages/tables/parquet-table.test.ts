import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '@figbase/kit/config'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { readConfig } from '../../config.js'
import { createParquetPool } from './parquet-pool.js'
import { parquetTable } from './parquet-table.js'

const written = (rows: number) =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'depth', data: Array.from({ length: rows }, (_, i) => i), type: 'INT32' },
        { name: 'site', data: Array.from({ length: rows }, (_, i) => `<b>${i}`), type: 'STRING' },
        { name: 'on', data: Array.from({ length: rows }, () => new Date(0)), type: 'TIMESTAMP' },
      ],
    }),
  )

const partsOf = (bytes: Uint8Array, head: number, tail: number) => ({
  head: bytes.subarray(0, head),
  tail: bytes.subarray(Math.max(0, bytes.length - tail)),
  sizeBytes: bytes.length,
})
const columns = ['depth', 'site', 'on']

test('reads the columns and the first rows', async () => {
  const bytes = written(30)
  const table = await parquetTable(partsOf(bytes, 1e6, 1e6), 2)
  assert.deepEqual(table, {
    columns,
    rows: [
      ['0', '<b>0', '1970-01-01T00:00:00.000Z'],
      ['1', '<b>1', '1970-01-01T00:00:00.000Z'],
    ],
    isComplete: false,
  })
  assert.equal((await parquetTable(partsOf(bytes, 1e6, 1e6), 50)).isComplete, true)
})

test('reads only the columns if the rows are not in the parts', async () => {
  const bytes = written(50_000)
  const table = await parquetTable(partsOf(bytes, 1000, 10_000), 20)
  assert.deepEqual(table, { columns, rows: [], isComplete: false })
})

test('the child process survives files that are not valid', async () => {
  // Its start takes long on a machine with other work.
  const cfg = { ...readSettings({}, readConfig), pageParquetTimeoutMs: 60_000 }
  await using pool = createParquetPool(cfg)
  const signal = new AbortController().signal
  const valid = partsOf(written(3), 1e6, 1e6)
  assert.equal((await pool.read(valid, signal))?.rows.length, 3)
  const noise = Buffer.alloc(5000, 'PAR1')
  const broken = [noise, Buffer.alloc(0), valid.head.map((byte, i) => (i % 7 === 5 ? 255 : byte))]
  for (const bytes of broken) {
    assert.equal((await pool.read(partsOf(bytes, 1e6, 1e6), signal))?.rows.length ?? 0, 0)
  }
  assert.equal((await pool.read(valid, signal))?.rows.length, 3)
})

test('a file that takes too long is given up', async () => {
  const cfg = { ...readSettings({}, readConfig), pageParquetTimeoutMs: 1 }
  await using pool = createParquetPool(cfg)
  const parts = partsOf(written(100_000), 1e9, 1e9)
  assert.equal(await pool.read(parts, new AbortController().signal), undefined)
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { DataType, type Revision } from '@figbase/proto/revisions'
import { failsWith, settled } from './failure.js'
import {
  ada,
  type Bench,
  bob,
  change,
  download,
  publish,
  startBench,
  type,
  until,
} from './service.js'

const file = (bytes: Uint8Array) => ({ bytes, type: DataType.FILE })
const dataOf = ({ data }: Revision) => data[0]?.id ?? ''

let bench: Bench
before(async () => {
  bench = await startBench('local', { DATA_RETENTION: '1h' })
})
after(() => bench[Symbol.asyncDispose]())

async function firstOf(id: string, as = ada) {
  for await (const message of bench.client.readData({ id }, as)) return message
  return undefined
}

/** Pretends that an hour has passed. */
async function age(id: string) {
  await bench.query(
    `update external_data set detached_on = detached_on - interval '61 minutes' where id = $1`,
    [id],
  )
}
const purge = () =>
  bench.query(`select enqueue_job('purge-detached', null, '{}', null, 0, null, 1)`)
const exists = async (id: string) =>
  (await bench.query('select from external_data where id = $1', [id])).length > 0
const blobs = (digest = '') =>
  bench.query<{ key: string; refs: number }>('select key, refs from blob where digest = $1', [
    digest,
  ])

test('viewers of the revision can read detached data, and it counts for nothing else', async () => {
  const created = await publish(bench, [file(Buffer.from('old'))])
  const updated = await change(bench, created.id, [file(Buffer.from('newer'))])
  assert.equal((await download(bench, dataOf(created))).bytes.toString(), 'old')
  await failsWith(firstOf(dataOf(created), bob), { code: 'PermissionDenied' })
  const { revision } = await bench.client.getRevision({ id: created.id, type }, ada)
  assert.deepEqual(revision?.data, updated.data)
  assert.equal(revision?.sizeBytes, 5n)
  assert.equal(bench.catalog.nodes.get(created.id)?.sizeBytes, 5n)
})

test('is purged after the retention, with bytes that nothing else uses', async () => {
  const [own, shared] = [randomBytes(1000), randomBytes(1000)]
  const created = await publish(bench, [file(own), file(shared)])
  const other = await publish(bench, [file(shared)])
  const [first, second] = created.data
  await change(bench, created.id, [file(randomBytes(9))])
  const [blob] = await blobs(first?.hash)
  await age(first?.id ?? '')
  await purge()
  await settled(async () => assert.equal(await exists(first?.id ?? ''), false))
  await failsWith(firstOf(first?.id ?? ''), { code: 'NotFound' })
  assert.ok((await download(bench, second?.id ?? '')).bytes.equals(shared))
  await bench.collect()
  assert.deepEqual(await blobs(first?.hash), [])
  assert.ok(!(await bench.keys()).includes(blob?.key ?? ''))

  await age(second?.id ?? '')
  await purge()
  await settled(async () => assert.equal(await exists(second?.id ?? ''), false))
  assert.deepEqual(
    (await blobs(second?.hash)).map(({ refs }) => refs),
    [1],
  )
  assert.ok((await download(bench, dataOf(other))).bytes.equals(shared))
})

test('is purged with its text and its failures', async () => {
  const table = { bytes: Buffer.from('PAR1'), type: DataType.FILE, name: 'a.parquet' }
  const code = { bytes: Buffer.from('print(1)'), type: DataType.CODE }
  const { id, data } = await publish(bench, [code, table])
  const derived = async () => {
    const rows = await bench.query(
      `select data_id from extracted_text where revision_id = $1
        union all select data_id from processing_failure where revision_id = $1`,
      [id],
    )
    return rows.length
  }
  await until(async () => (await derived()) === 2)
  await bench.query('delete from job')
  await bench.query(
    `update external_data set position = null, detached_on = now() - interval '61 minutes'
      where revision_id = $1`,
    [id],
  )
  await purge()
  await until(async () => !(await exists(data[1]?.id ?? '')))
  assert.equal(await derived(), 0)
})

test('more than one batch is purged, and attached data stays', async () => {
  const { id } = await publish(bench, [file(Buffer.from('live'))])
  await bench.query(
    `with blob as (
       update blob set refs = refs + 1200
         from external_data d where d.blob_id = blob.id and d.revision_id = $1
       returning d.*
     )
     insert into external_data (id, revision_id, type, metadata, is_clean_room, blob_id, size_bytes,
                                hash, created_by, created_on, detached_on)
     select gen_random_uuid(), revision_id, type, metadata, false, blob_id, size_bytes, hash,
            created_by, created_on, now() - interval '2 hours'
       from blob, generate_series(1, 1200)`,
    [id],
  )
  await purge()
  await settled(async () => {
    const [row] = await bench.query<{ n: number }>(
      'select count(*)::int as n from external_data where revision_id = $1',
      [id],
    )
    assert.equal(row?.n, 1)
  })
  const { revision } = await bench.client.getRevision({ id, type }, ada)
  assert.deepEqual(
    (await blobs(revision?.data[0]?.hash)).map(({ refs }) => refs),
    [1],
  )
})

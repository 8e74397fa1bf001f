import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { DataType } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { failsWith, settled } from './failure.js'
import {
  ada,
  type Bench,
  bob,
  download,
  image,
  processed,
  publish,
  startBench,
  transports,
  type,
} from './service.js'

const file = (bytes: Uint8Array) => ({ bytes, name: 'table.csv', type: DataType.FILE })

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#36c' } })
    .png()
    .toBuffer()

/** Blobs with a wrong reference count. */
const miscounted = `
  select b.id, b.refs, count(d.id)::int as found from blob b left join external_data d on d.blob_id = b.id
   group by b.id, b.refs having b.refs <> count(d.id)`

for (const transport of transports) {
  describe(`deriving a revision (${transport})`, () => {
    let bench: Bench
    before(async () => {
      bench = await startBench(transport)
    })
    after(() => bench[Symbol.asyncDispose]())

    async function derive(sourceId: string, more: object = {}, as = ada) {
      const { revision } = await bench.client.deriveRevision({ sourceId, ...more }, as)
      assert.ok(revision)
      return revision
    }

    test('has the data of its source in order, in rows of its own that share the bytes', async () => {
      const same = randomBytes(1000)
      const objects = [file(same), file(randomBytes(9)), file(same), file(new Uint8Array())]
      const metadataJson = '{"b": 9007199254740993, "a": 1}'
      const source = await publish(bench, objects, { metadataJson, isCleanRoom: true })
      const keys = await bench.keys()
      const made = await derive(source.id)
      assert.equal(made.derivedFrom, source.id)
      assert.equal(made.parentId, bench.figureId)
      assert.equal(made.revisionIndex, source.revisionIndex + 1)
      assert.equal(made.metadataJson, metadataJson)
      assert.equal(made.isCleanRoom, true)
      assert.equal(made.sizeBytes, source.sizeBytes)
      const facts = (one: typeof made) =>
        one.data.map(({ name, type, hash, sizeBytes, metadataJson }) => [
          name,
          type,
          hash,
          sizeBytes,
          metadataJson,
        ])
      assert.deepEqual(facts(made), facts(source))
      const ids = new Set([...made.data, ...source.data].map(({ id }) => id))
      assert.equal(ids.size, 8)
      for (const [index, { id }] of made.data.entries()) {
        const { bytes } = await download(bench, id)
        assert.ok(bytes.equals(objects[index]?.bytes ?? Buffer.of(1)))
      }
      assert.deepEqual(await bench.keys(), keys, 'no bytes were written')
      assert.deepEqual(await bench.query(miscounted), [])
    })

    test('has the given metadata, id and short id', async () => {
      const source = await publish(bench, [file(randomBytes(9))])
      const { prefix } = await bench.client.reserveShortIdPrefix({}, ada)
      const clientId = newId()
      const given = { clientId, shortId: `${prefix}0`, metadataJson: '["any"]', silent: true }
      const made = await derive(source.id, given)
      assert.deepEqual(
        [made.id, made.shortId, made.metadataJson],
        [clientId, given.shortId, '["any"]'],
      )
      assert.equal(bench.catalog.nodes.get(clientId)?.silent, true)
      const again = bench.client.deriveRevision({ sourceId: source.id, clientId }, ada)
      await failsWith(again, { code: 'AlreadyExists', error: 'duplicate_client_id' })
      const short = { sourceId: source.id, shortId: given.shortId }
      await failsWith(bench.client.deriveRevision(short, ada), {
        code: 'AlreadyExists',
        error: 'duplicate_short_id',
      })
      await failsWith(bench.client.deriveRevision({ ...short, shortId: '000000000' }, ada), {
        field: 'short_id',
      })
      assert.deepEqual(await bench.query(miscounted), [])
    })

    test('gets short ids with one prefix by default, also for eight concurrent requests', async () => {
      const source = await publish(bench, [file(randomBytes(9))])
      const made = await Promise.all(Array.from({ length: 8 }, () => derive(source.id)))
      const shortIds = made.map(({ shortId }) => shortId)
      assert.equal(new Set(shortIds).size, 8)
      assert.equal(new Set(shortIds.map((shortId) => shortId.slice(0, 8))).size, 1)
      const indexes = made.map(({ revisionIndex }) => revisionIndex).sort((a, b) => a - b)
      const first = source.revisionIndex + 1
      assert.deepEqual(
        indexes,
        indexes.map((_, n) => first + n),
      )
      const mine = { sourceId: source.id, shortId: `${shortIds[0]?.slice(0, 8)}z` }
      await failsWith(bench.client.deriveRevision(mine, ada), { field: 'short_id' })
      assert.deepEqual(await bench.query(miscounted), [])
    })

    test('can be created in another figure, with an index of that figure', async () => {
      const source = await publish(bench, [file(randomBytes(9))])
      const figureId = bench.catalog.figure('ada')
      const made = await derive(source.id, { figureId: figureId.toUpperCase() })
      assert.equal(made.parentId, figureId)
      assert.equal(made.revisionIndex, 0)
    })

    test('is processed: it gets a picture and hashes', async () => {
      const source = await publish(bench, [image(await picture())])
      await processed(bench, source.id)
      const made = await derive(source.id)
      assert.equal(made.isProcessing, true)
      const done = await processed(bench, made.id)
      assert.equal(done.imageHash, source.data[0]?.hash)
      const thumbnail = await bench.client.readThumbnail({ revisionId: made.id, type }, ada)
      assert.ok(thumbnail.png.length > 0)
    })

    test('checks permissions before the request', async () => {
      const source = await publish(bench, [file(randomBytes(9))])
      const wrong = { sourceId: source.id, metadataJson: '{', clientId: 'x' }
      const refused = { code: 'PermissionDenied', error: 'permission_denied' } as const
      await failsWith(bench.client.deriveRevision(wrong, bob), refused)
      const figureId = bench.catalog.figure('bob')
      await failsWith(bench.client.deriveRevision({ ...wrong, figureId }, ada), refused)
      await failsWith(bench.client.deriveRevision({ ...wrong, figureId: newId() }, ada), {
        field: 'figure',
      })
      await failsWith(bench.client.deriveRevision(wrong, ada), { field: 'client_id' })
      await failsWith(bench.client.deriveRevision({ ...wrong, clientId: newId() }, ada), {
        field: 'metadata',
      })
      await failsWith(bench.client.deriveRevision({ sourceId: newId() }, ada), { code: 'NotFound' })
    })

    test('the job activates it when catalog does not answer; nothing stays when the figure is gone', async () => {
      const source = await publish(bench, [file(randomBytes(9))])
      bench.catalog.failing.set('Activate', new ConnectError('away', Code.Unavailable))
      const made = await derive(source.id)
      assert.equal(made.sizeBytes, 9n)
      assert.equal(bench.catalog.nodes.get(made.id)?.state, 'pending')
      bench.catalog.failing.clear()
      await settled(async () =>
        assert.equal(bench.catalog.nodes.get(made.id)?.state, 'active', 'not activated'),
      )
      bench.catalog.failing.set('Activate', new ConnectError('gone', Code.NotFound))
      const count = async () => bench.query('select id from revision')
      const before = await count()
      await failsWith(bench.client.deriveRevision({ sourceId: source.id }, ada), {
        field: 'figure',
      })
      bench.catalog.failing.clear()
      assert.deepEqual(await count(), before)
      assert.deepEqual(await bench.query(miscounted), [])
    })
  })
}

describe('deriving many objects', () => {
  test('clones 10,000 objects in order', async (t) => {
    await using bench = await startBench('local')
    const source = await publish(bench, [])
    await bench.query(
      `with made as (
         insert into blob (id, storage, key, digest, size_bytes, refs)
         select gen_random_uuid(), 'default', 'key ' || n, lpad(to_hex(n), 64, '0'), n, 2
           from generate_series(1, 5000) n
         returning id, digest, size_bytes
       )
       insert into external_data (id, revision_id, position, name, type, metadata, is_clean_room,
                                  blob_id, size_bytes, hash, created_by, created_on)
       select gen_random_uuid(), $1, size_bytes * 2 - copy, 'name', $2, '{}', false, id, size_bytes,
              digest, 'ada', now()
         from made, generate_series(0, 1) copy`,
      [source.id, DataType.FILE],
    )
    const { revision: whole } = await bench.client.getRevision({ id: source.id, type }, ada)
    const begin = performance.now()
    const { revision } = await bench.client.deriveRevision({ sourceId: source.id }, ada)
    t.diagnostic(`10,000 objects: ${Math.round(performance.now() - begin)} ms`)
    assert.equal(revision?.data.length, 10_000)
    assert.deepEqual(
      revision.data.map(({ hash }) => hash),
      whole?.data.map(({ hash }) => hash),
    )
    assert.deepEqual(await bench.query(miscounted), [])
  })
})

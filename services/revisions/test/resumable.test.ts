import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ConnectError } from '@connectrpc/connect'
import { NodeType } from '@figbase/proto/catalog'
import { DataType } from '@figbase/proto/revisions'
import { failsWith, settled } from './failure.js'
import { type AppendMessage, add, begin, offsetOf, pieces, uploaded } from './resumable.js'
import {
  ada,
  append,
  type Bench,
  bob,
  change,
  download,
  leftovers,
  nothing,
  parts,
  publish,
  startBench,
  transports,
} from './service.js'

const segmentBytes = 300_000
const env = {
  UPLOAD_SEGMENT_BYTES_MAX: String(segmentBytes),
  UPLOAD_BYTES_MAX: '3MiB',
  UPLOAD_SEGMENTS_MAX: '12',
  UPLOADS_OPEN_PER_USER_MAX: '5',
  UPLOAD_TAKEOVER_AFTER: '300ms',
}
const named = (uploadId: string) => ({ type: DataType.FILE, name: 'large.bin', uploadId })
const missing = { code: 'NotFound', error: 'not_found' } as const
const unusable = { code: 'InvalidArgument', field: 'data[0].upload' } as const

for (const transport of transports) {
  describe(`resumable uploads (${transport})`, () => {
    let bench: Bench
    before(async () => {
      bench = await startBench(transport, env)
    })
    after(() => bench[Symbol.asyncDispose]())
    beforeEach(async () => {
      delete bench.catalog.quota.bytesLeft
      for (const { id } of await bench.query<{ id: string }>('select id from resumable_upload')) {
        await bench.client.endUpload({ id }, ada)
      }
    })

    /** No rows or objects of uploads are left. */
    async function nothingOpen() {
      const rows = await bench.query(
        'select id from resumable_upload union all select upload_id from upload_segment',
      )
      assert.deepEqual(rows, [])
      const blobs = await bench.query<{ key: string }>(
        `select key from blob where key like 'resumable/%'`,
      )
      const keys = (await bench.keys()).filter((key) => key.startsWith('resumable/'))
      assert.deepEqual(keys, blobs.map(({ key }) => key).sort())
    }

    const same = async (bytes: Uint8Array, id: string | undefined) =>
      assert.ok((await download(bench, id ?? '')).bytes.equals(bytes))

    test('bytes of two calls become data of a revision, once', async () => {
      const bytes = randomBytes(1_000_000)
      const { id } = await begin(bench, { lengthBytes: 1_000_000n, metadata: 'filename eA==' })
      assert.equal(await add(bench, id, 0, bytes.subarray(0, 400_000)), 400_000)
      const { upload } = await bench.client.getUpload({ id }, ada)
      assert.equal(upload?.offsetBytes, 400_000n)
      assert.equal(upload.lengthBytes, 1_000_000n)
      assert.equal(upload.metadata, 'filename eA==')
      assert.equal(await add(bench, id, 400_000, bytes.subarray(400_000)), 1_000_000)

      const { data } = await publish(bench, [named(id)])
      assert.equal(data[0]?.sizeBytes, 1_000_000n)
      await same(bytes, data[0]?.id)
      await nothingOpen()
      await failsWith(
        bench.client.createRevision(parts(bench.figureId, [named(id)]), ada),
        unusable,
      )
      await failsWith(bench.client.getUpload({ id }, ada), missing)
    })

    test('a single segment is not copied, and equal bytes take no space', async () => {
      const bytes = randomBytes(200_000)
      const { data } = await publish(bench, [named(await uploaded(bench, bytes))])
      await same(bytes, data[0]?.id)
      const adopted = () =>
        bench.query(`select 1 from blob where key like 'resumable/%' and refs > 0`)
      assert.equal((await adopted()).length, 1)
      const again = await publish(bench, [
        named(await uploaded(bench, bytes)),
        { bytes, type: DataType.FILE },
      ])
      await same(bytes, again.data[1]?.id)
      assert.equal((await adopted()).length, 1)
      await nothingOpen()
    })

    test('an empty upload is an empty object', async () => {
      const { data } = await publish(bench, [named(await uploaded(bench, new Uint8Array()))])
      assert.equal(data[0]?.sizeBytes, 0n)
      await nothingOpen()
    })

    test('bytes before a broken connection are kept, and the next call continues', async () => {
      const bytes = randomBytes(900_000)
      const { id } = await begin(bench, { lengthBytes: 900_000n })
      const aborting = new AbortController()
      async function* breaking(): AsyncGenerator<AppendMessage> {
        yield* pieces(id, 0, bytes.subarray(0, 700_000))
        const stored = 'select 1 from resumable_upload where id = $1 and segments >= 2'
        await settled(async () => assert.equal((await bench.query(stored, [id])).length, 1))
        aborting.abort()
        await new Promise(() => {})
      }
      const { signal } = aborting
      await assert.rejects(bench.client.appendUpload(breaking(), { ...ada, signal }))
      // The call has ended, and all received bytes are counted.
      const offset = await offsetOf(bench, id)
      assert.ok(offset >= 2 * segmentBytes && offset <= 700_000, `${offset}`)
      assert.equal(await add(bench, id, offset, bytes.subarray(offset)), 900_000)
      await same(bytes, (await publish(bench, [named(id)])).data[0]?.id)
      await nothingOpen()
    })

    test('rejects a wrong offset without changes', async () => {
      const { id } = await begin(bench, { lengthBytes: 100n })
      await add(bench, id, 0, Buffer.alloc(60))
      for (const offset of [0, 59, 61, 100, -1]) {
        const call = bench.client.appendUpload(pieces(id, offset, Buffer.alloc(10)), ada)
        await failsWith(call, { code: 'FailedPrecondition', error: 'offset_conflict' })
      }
      assert.equal(await offsetOf(bench, id), 60)
    })

    for (const [what, ask] of [
      ['is requested', (id: string) => bench.client.getUpload({ id }, ada)],
      ['is written by another call', (id: string) => add(bench, id, 0, randomBytes(500_000))],
    ] as const) {
      test(`a running append ends when the upload ${what}, and its stored bytes are kept`, async () => {
        const bytes = randomBytes(500_000)
        const { id } = await begin(bench, { lengthBytes: 500_000n })
        async function* endless(): AsyncGenerator<AppendMessage> {
          yield* pieces(id, 0, bytes.subarray(0, 200_000))
          // A slow client.
          for (;;) {
            await turn()
            yield { part: { case: 'chunk', value: new Uint8Array() } }
          }
        }
        const first = bench.client.appendUpload(endless(), ada)
        const lost = failsWith(first, { code: 'Aborted', error: 'upload_locked' })
        await settled(async () => {
          const has = 'select 1 from resumable_upload where id = $1 and append_id is not null'
          assert.equal((await bench.query(has, [id])).length, 1)
        })
        await ask(id).catch((error) => {
          assert.match(String(error), /200000|offset/)
        })
        await lost
        assert.equal(await offsetOf(bench, id), 200_000)
        assert.equal(await add(bench, id, 200_000, bytes.subarray(200_000)), 500_000)
        await same(bytes, (await publish(bench, [named(id)])).data[0]?.id)
      })
    }

    test('an older request cannot append after a newer one', async () => {
      const { id } = await begin(bench, { lengthBytes: 100n })
      const older = (await bench.client.getUpload({ id }, ada)).askId
      const newer = (await bench.client.getUpload({ id }, ada)).askId
      async function* asked(askId: string): AsyncGenerator<AppendMessage> {
        yield { part: { case: 'start', value: { id, offsetBytes: 0n, askId } } }
        yield { part: { case: 'chunk', value: Buffer.alloc(100) } }
      }
      const late = bench.client.appendUpload(asked(older), ada)
      await failsWith(late, { code: 'Aborted', error: 'upload_locked' })
      const odd = bench.client.appendUpload(asked('x'), ada)
      await failsWith(odd, { code: 'InvalidArgument', field: 'ask_id' })
      const { upload } = await bench.client.appendUpload(asked(newer), ada)
      assert.equal(upload?.offsetBytes, 100n)
    })

    test('rejects more bytes than the length', async () => {
      const { id } = await begin(bench, { lengthBytes: 100n })
      const call = bench.client.appendUpload(pieces(id, 0, Buffer.alloc(101)), ada)
      await failsWith(call, { code: 'ResourceExhausted', error: 'too_large' })
      assert.equal(await add(bench, id, 0, Buffer.alloc(100)), 100)
    })

    test('a length can be set later, once', async () => {
      const { id, lengthBytes } = await begin(bench)
      assert.equal(lengthBytes, undefined)
      await add(bench, id, 0, Buffer.alloc(10))
      const incomplete = bench.client.createRevision(parts(bench.figureId, [named(id)]), ada)
      await failsWith(incomplete, { ...unusable, reason: 'is incomplete: received 10 bytes' })
      const rest = pieces(id, 10, Buffer.alloc(10), 20n)
      const { upload } = await bench.client.appendUpload(rest, ada)
      assert.deepEqual([upload?.offsetBytes, upload?.lengthBytes], [20n, 20n])
      const more = bench.client.appendUpload(pieces(id, 20, Buffer.alloc(10), 30n), ada)
      await failsWith(more, { code: 'ResourceExhausted', error: 'too_large' })
    })

    test('rejects a length below the offset or above the maximum', async () => {
      const { id } = await begin(bench)
      await add(bench, id, 0, Buffer.alloc(10))
      const shorter = bench.client.appendUpload(pieces(id, 10, Buffer.alloc(0), 9n), ada)
      await failsWith(shorter, { code: 'InvalidArgument', field: 'length' })
      const longer = bench.client.appendUpload(pieces(id, 10, Buffer.alloc(0), 2n ** 40n), ada)
      await failsWith(longer, { code: 'ResourceExhausted', error: 'too_large' })
      for (const lengthBytes of [-1n, -(2n ** 63n)]) {
        await failsWith(begin(bench, { lengthBytes }), { code: 'InvalidArgument', field: 'length' })
      }
      await failsWith(begin(bench, { lengthBytes: 2n ** 40n }), { error: 'too_large' })
    })

    test('limits the bytes and the segments of an upload without a length', async () => {
      const { id } = await begin(bench)
      const call = bench.client.appendUpload(pieces(id, 0, Buffer.alloc(4 * 2 ** 20)), ada)
      await failsWith(call, { code: 'ResourceExhausted', error: 'too_large' })
      assert.ok((await offsetOf(bench, id)) <= 3 * 2 ** 20)
      const other = await begin(bench)
      for (let offset = 0; offset < 12; offset++)
        await add(bench, other.id, offset, Buffer.alloc(1))
      await failsWith(add(bench, other.id, 12, Buffer.alloc(1)), { error: 'too_large' })
    })

    test('requires permission to begin', async () => {
      const { figureId } = bench
      await failsWith(begin(bench, {}, bob), { code: 'PermissionDenied' })
      await failsWith(begin(bench, { targetId: randomUUID() }), {
        code: 'InvalidArgument',
        field: 'figure',
      })
      await failsWith(begin(bench, { targetId: 'x\0' }), {
        code: 'InvalidArgument',
        field: 'figure',
      })
      for (const targetType of [NodeType.UNSPECIFIED, NodeType.WORKSPACE, 99 as NodeType]) {
        const request = { targetId: figureId, targetType }
        await failsWith(begin(bench, request), { code: 'InvalidArgument', field: 'target_type' })
      }
      assert.deepEqual(await bench.query('select 1 from resumable_upload'), [])
    })

    test('hides uploads of other users', async () => {
      const { id } = await begin(bench, { lengthBytes: 10n })
      for (const unknown of [id, randomUUID(), 'x', '']) {
        await failsWith(bench.client.getUpload({ id: unknown }, bob), missing)
        await failsWith(bench.client.endUpload({ id: unknown }, bob), missing)
        await failsWith(
          bench.client.appendUpload(pieces(unknown, 0, Buffer.alloc(10)), bob),
          missing,
        )
      }
      await add(bench, id, 0, Buffer.alloc(10))
      const theirs = parts(bench.catalog.figure('bob'), [named(id)])
      await failsWith(bench.client.createRevision(theirs, bob), unusable)
      assert.equal(await offsetOf(bench, id), 10)
    })

    test('requires permission to append', async () => {
      const { id } = await begin(bench, { lengthBytes: 10n })
      const figure = bench.catalog.nodes.get(bench.figureId)
      assert.ok(figure)
      figure.owner = 'bob'
      await failsWith(add(bench, id, 0, Buffer.alloc(10)), { code: 'PermissionDenied' })
      figure.owner = 'ada'
      assert.equal(await offsetOf(bench, id), 0)
    })

    test('open uploads count towards the plan', async () => {
      bench.catalog.quota.bytesLeft = 1000n
      const full = { code: 'PermissionDenied', error: 'max_storage_bytes' } as const
      await failsWith(begin(bench, { lengthBytes: 1001n }), full)
      const { id } = await begin(bench, { lengthBytes: 600n })
      await failsWith(begin(bench, { lengthBytes: 401n }), full)
      const open = await begin(bench)
      assert.equal(await add(bench, open.id, 0, Buffer.alloc(400)), 400)
      await failsWith(add(bench, open.id, 400, Buffer.alloc(1)), full)
      await failsWith(begin(bench, { lengthBytes: 1n }), full)
      await add(bench, id, 0, Buffer.alloc(600))
      bench.catalog.quota.bytesLeft = 599n
      await failsWith(bench.client.createRevision(parts(bench.figureId, [named(id)]), ada), full)
      await bench.client.endUpload({ id: open.id }, ada)
      bench.catalog.quota.bytesLeft = 600n
      await publish(bench, [named(id)])
      await nothingOpen()
    })

    test('of many concurrent uploads only as many begin as fit', async () => {
      bench.catalog.quota.bytesLeft = 1000n
      const begun = await Promise.allSettled(
        Array.from({ length: 8 }, () => begin(bench, { lengthBytes: 300n })),
      )
      assert.equal(begun.filter(({ status }) => status === 'fulfilled').length, 3)
    })

    test('limits the open uploads of a user', async () => {
      for (let n = 0; n < 5; n++) await begin(bench)
      await failsWith(begin(bench), { code: 'ResourceExhausted', error: 'too_many_uploads' })
    })

    test('ending an upload removes its bytes', async () => {
      const { id } = await begin(bench)
      await add(bench, id, 0, randomBytes(700_000))
      await bench.client.endUpload({ id }, ada)
      await failsWith(bench.client.endUpload({ id }, ada), missing)
      await failsWith(bench.client.appendUpload(pieces(id, 0, Buffer.alloc(1)), ada), missing)
      await nothingOpen()
    })

    test('ending an upload during an append leaves nothing', async () => {
      const { id } = await begin(bench)
      let ended = () => {}
      const resumed = new Promise<void>((resolve) => {
        ended = resolve
      })
      async function* slow(): AsyncGenerator<AppendMessage> {
        yield* pieces(id, 0, randomBytes(400_000))
        await resumed
      }
      const call = bench.client.appendUpload(slow(), ada)
      const stored = 'select 1 from resumable_upload where id = $1 and segments = 1'
      await settled(async () => assert.equal((await bench.query(stored, [id])).length, 1))
      await bench.client.endUpload({ id }, ada)
      ended()
      await failsWith(call, missing)
      await settled(nothingOpen)
    })

    test('a failed creation leaves the upload unchanged', async () => {
      const small = randomBytes(1000)
      const large = randomBytes(700_000)
      const ids = [await uploaded(bench, small), await uploaded(bench, large)]
      const objects = ids.map(named)
      const failing = [
        parts(bench.figureId, [...objects, named(randomUUID())]),
        parts(bench.figureId, objects, { metadataJson: '[' }),
        parts(bench.catalog.figure('bob'), objects),
        parts(bench.figureId, [...objects, named(ids[0] ?? '')]),
      ]
      for (const messages of failing)
        await assert.rejects(bench.client.createRevision(messages, ada))
      bench.catalog.failing.set('Reserve', new ConnectError('no'))
      await assert.rejects(bench.client.createRevision(parts(bench.figureId, objects), ada))
      bench.catalog.failing.delete('Reserve')
      assert.deepEqual(await bench.query('select 1 from upload'), [])
      const { data } = await publish(bench, objects)
      await same(small, data[0]?.id)
      await same(large, data[1]?.id)
      await nothingOpen()
    })

    test('only one of two creations can use an upload', async () => {
      for (const bytes of [randomBytes(1000), randomBytes(700_000)]) {
        const id = await uploaded(bench, bytes)
        const made = await Promise.allSettled(
          Array.from({ length: 4 }, () => publish(bench, [named(id)])),
        )
        const revisions = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        assert.equal(revisions.length, 1)
        await same(bytes, revisions[0]?.data[0]?.id)
        await nothingOpen()
        assert.deepEqual(await bench.query('select 1 from upload'), [])
      }
    })

    test('an upload can be used by an update and by an append', async () => {
      const bytes = randomBytes(400_000)
      const revision = await publish(bench, [{ bytes: Buffer.from('before'), type: DataType.TEXT }])
      const more = await append(bench, revision.id, [named(await uploaded(bench, bytes))])
      await same(bytes, more.data[1]?.id)
      const target = { targetId: revision.id, targetType: NodeType.FIGURE_REVISION }
      const other = randomBytes(1000)
      const id = await uploaded(bench, other, target)
      const after = await change(bench, revision.id, [named(id)])
      assert.equal(after.data.length, 1)
      await same(other, after.data[0]?.id)
      await failsWith(append(bench, revision.id, [named(id)]), unusable)
      await nothingOpen()
    })

    test('rejects an upload of another workspace', async () => {
      const elsewhere = bench.catalog.figure('ada')
      bench.catalog.workspaces.set(elsewhere, randomUUID())
      const id = await uploaded(bench, Buffer.alloc(3), { targetId: elsewhere })
      const call = bench.client.createRevision(parts(bench.figureId, [named(id)]), ada)
      await failsWith(call, { ...unusable, reason: 'belongs to another workspace' })
      await publish({ ...bench, figureId: elsewhere }, [named(id)])
    })

    test('rejects an invalid upload id, and bytes besides an upload', async () => {
      for (const uploadId of ['', 'x', '\0', `${randomUUID()}\0`]) {
        await failsWith(
          bench.client.createRevision(parts(bench.figureId, [named(uploadId)]), ada),
          unusable,
        )
      }
      const both = [{ ...named(await uploaded(bench, Buffer.alloc(3))), bytes: Buffer.alloc(3) }]
      await failsWith(bench.client.createRevision(parts(bench.figureId, both), ada), unusable)
      await publish(bench, [named(await uploaded(bench, Buffer.alloc(3)))])
    })

    test('rejects direct uploads if the store does not support them', async () => {
      const request = {
        targetId: bench.figureId,
        targetType: NodeType.FIGURE,
        direct: true,
        lengthBytes: 3n,
      }
      await failsWith(bench.client.beginUpload(request, ada), { code: 'Unimplemented' })
    })
  })
}

test('leaves nothing of unused uploads', async () => {
  await using bench = await startBench()
  const { id } = await begin(bench, { lengthBytes: 700_000n })
  await add(bench, id, 0, randomBytes(700_000))
  await bench.client.endUpload({ id }, ada)
  assert.deepEqual(await leftovers(bench), nothing)
})

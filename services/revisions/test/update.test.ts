import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import {
  type AssetLink,
  DataType,
  UpdateRevisionRequest_Mode as Mode,
  type Revision,
  UseType,
} from '@figbase/proto/revisions'
import sharp from 'sharp'
import { failsWith, settled } from './failure.js'
import {
  ada,
  append,
  type Bench,
  bob,
  change,
  changed,
  download,
  image,
  leftovers,
  processed,
  publish,
  publishAsset,
  startBench,
  transports,
  type,
} from './service.js'

const file = (bytes: Uint8Array, name = 'table.csv') => ({
  bytes,
  name,
  type: DataType.FILE,
  metadataJson: '{"path": null}',
})
const kept = ({ id }: { id: string } = { id: '' }) => ({ keepId: id })

for (const transport of transports) {
  describe(`updating a revision (${transport})`, () => {
    let bench: Bench
    before(async () => {
      bench = await startBench(transport, {
        REVISION_OBJECTS_MAX: '20',
        UPLOAD_BYTES_MAX: '3MiB',
        LOG_LEVEL: 'error',
      })
    })
    after(() => bench[Symbol.asyncDispose]())

    const get = async ({ id }: { id: string }) => {
      const { revision } = await bench.client.getRevision({ id, type }, ada)
      assert.ok(revision)
      return revision
    }
    /** The call fails and leaves nothing. */
    async function refused(
      messages: ReturnType<typeof changed>,
      expected: Parameters<typeof failsWith>[1],
      as = ada,
    ) {
      const before = { left: await leftovers(bench), holds: bench.catalog.reservations.size }
      await failsWith(bench.client.updateRevision(messages, as), expected)
      assert.deepEqual(
        { left: await leftovers(bench), holds: bench.catalog.reservations.size },
        before,
      )
    }

    test('keeps the values that are left out', async () => {
      const created = await publish(bench, [file(randomBytes(9))], {
        metadataJson: '{"a":1}',
        isCleanRoom: true,
        description: 'A plot',
      })
      const same = await change(bench, created.id)
      assert.equal(same.metadataJson, '{"a":1}')
      assert.equal(same.isCleanRoom, true)
      assert.equal(same.description?.text, 'A plot')
      assert.deepEqual(same.data, created.data)
      assert.equal(same.sizeBytes, 9n)
      assert.deepEqual([created.version, same.version], [1, 2])
      assert.equal(same.isProcessing, false)
      assert.deepEqual(await get(created), same)
    })

    test('replaces the members of the revision', async () => {
      const created = await publish(bench, [], { description: 'old' })
      const updated = await change(bench, created.id, [], {
        metadataJson: '"text"',
        isCleanRoom: true,
        description: 'new',
        silent: true,
      })
      assert.equal(updated.metadataJson, '"text"')
      assert.equal(updated.isCleanRoom, true)
      assert.equal(updated.description?.text, 'new')
      assert.equal(updated.description?.author, 'ada')
      assert.deepEqual(updated.description?.writtenOn, updated.updatedOn)
      assert.equal(updated.updatedBy, 'ada')
      const { silent, hasLeaves } = bench.catalog.applied.at(-1) ?? {}
      assert.deepEqual({ silent, hasLeaves }, { silent: true, hasLeaves: false })
      assert.equal(
        (await change(bench, created.id, [], { description: '' })).description,
        undefined,
      )
    })

    test('rejects a caller without permission before reading the rest', async () => {
      const { id } = await publish(bench, [])
      let sent = 0
      async function* endless() {
        yield* changed(id, [], undefined)
        for (; sent < 10_000; sent++) {
          yield { part: { case: 'chunk' as const, value: randomBytes(65_536) } }
        }
      }
      await refused(endless(), { code: 'PermissionDenied', error: 'permission_denied' }, bob)
      assert.ok(sent < 500, `${sent} chunks were taken`)
      bench.catalog.shares.add(`bob ${id}`)
      await refused(changed(id, [], {}), { code: 'PermissionDenied' }, bob)
      await refused(changed(randomUUID(), [], {}), { code: 'NotFound' })
      const asset = { type: NodeType.ASSET_REVISION }
      await refused(changed(id, [], {}, asset), { code: 'NotFound' })
    })

    test('changes only the expected version', async () => {
      const { id, version } = await publish(bench, [])
      const wrong = { expectedVersion: version + 1 }
      await refused(changed(id, [file(randomBytes(9))], {}, wrong), { error: 'version_mismatch' })
      const right = { expectedVersion: version }
      await bench.client.updateRevision(changed(id, [], {}, right), ada)
      await refused(changed(id, [], {}, right), { error: 'version_mismatch' })
    })

    test('one of several concurrent updates of a version succeeds', async () => {
      const { id, version } = await publish(bench, [])
      const all = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) =>
          change(bench, id, [file(randomBytes(n))], {}, { expectedVersion: version }),
        ),
      )
      assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal(bench.catalog.reservations.size, 0)
      assert.equal((await get({ id })).data.length, 1)
    })

    test('names the invalid member, and changes nothing', async () => {
      const created = await publish(bench, [file(randomBytes(100))])
      const { id, data } = created
      const other = await publish(bench, [file(randomBytes(100))])
      const objects = [file(randomBytes(9))]
      const cases: [object[], object, string][] = [
        [objects, { metadataJson: '{' }, 'metadata'],
        [objects, { description: '\0' }, 'description'],
        [objects, { parentId: randomUUID() }, 'figure'],
        [objects, { links: { links: [{ assetRevisionId: 'x' }] } }, 'assets[0].asset_revision'],
        [[...objects, { ...file(randomBytes(9)), type: 99 }], {}, 'data[1].type'],
        [[...objects, kept({ id: 'x' })], {}, 'data[1].api_id'],
        [[kept(other.data[0])], {}, 'data[0].api_id'],
        [[kept(data[0]), kept(data[0])], {}, 'data[1].api_id'],
        [Array.from({ length: 21 }, () => objects[0] ?? {}), {}, 'data'],
      ]
      for (const [list, finish, field] of cases) {
        await refused(changed(id, list, finish), { code: 'InvalidArgument', field })
      }
      const large = [file(randomBytes(2 ** 21)), file(randomBytes(2 ** 21))]
      await refused(changed(id, large, {}), { error: 'too_large' })
      assert.deepEqual(await get({ id }), created)
      const parentId = bench.figureId.toUpperCase()
      assert.equal((await change(bench, id, [], { parentId })).parentId, bench.figureId)
    })

    test('an interrupted stream changes nothing', async () => {
      const created = await publish(bench, [file(randomBytes(100))])
      await refused(changed(created.id, [file(randomBytes(9))], undefined), { field: 'data' })
      const abort = new AbortController()
      async function* hanging() {
        yield* changed(created.id, [file(randomBytes(200_000))], undefined)
        setTimeout(() => abort.abort(), 50)
        await new Promise(() => {})
      }
      const before = await leftovers(bench)
      const call = bench.client.updateRevision(hanging(), { ...ada, signal: abort.signal })
      await failsWith(call, { code: 'Canceled' })
      await settled(async () => assert.deepEqual(await leftovers(bench), before))
      assert.deepEqual(await get(created), created)
    })

    test('new data replaces all data', async () => {
      const [old, now] = [randomBytes(100_000), randomBytes(200_000)]
      const created = await publish(bench, [file(old), file(randomBytes(5))])
      const updated = await change(bench, created.id, [file(now), file(new Uint8Array())])
      assert.deepEqual(
        updated.data.map((one) => one.sizeBytes),
        [200_000n, 0n],
      )
      assert.equal(updated.sizeBytes, 200_000n)
      assert.equal(updated.isProcessing, true)
      assert.equal(bench.catalog.applied.at(-1)?.hasLeaves, true)
      const done = await processed(bench, created.id)
      assert.deepEqual(done, { ...updated, isProcessing: false })
      assert.ok((await download(bench, updated.data[0]?.id ?? '')).bytes.equals(now))
      // Replaced data can still be read by its id.
      const before = await download(bench, created.data[0]?.id ?? '')
      assert.ok(before.bytes.equals(old))
      await refused(changed(created.id, [kept(created.data[0])], {}), { field: 'data[0].api_id' })
    })

    test('keeps a data object that is named by its id', async () => {
      const { id, data } = await publish(bench, [
        file(Buffer.from('a')),
        file(Buffer.from('b')),
        file(Buffer.from('c')),
      ])
      const [a, b, c] = data
      const list = [kept({ id: c?.id.toUpperCase() ?? '' }), file(Buffer.from('new')), kept(a)]
      const updated = await change(bench, id, list)
      assert.deepEqual([updated.data[0], updated.data[2]], [c, a])
      assert.equal(updated.sizeBytes, 5n)
      assert.deepEqual((await get({ id })).data, updated.data)
      const again = await change(bench, id, [kept(a), kept(c)])
      assert.deepEqual(again.data, [a, c])
      assert.equal((await download(bench, b?.id ?? '')).bytes.toString(), 'b')
    })

    test('makes the picture and the hashes of the new data', async () => {
      const [red, blue] = [await png('red'), await png('blue')]
      const created = await publish(bench, [image(await gif('red'))])
      const first = await processed(bench, created.id)
      assert.equal(first.hasThumbnail, true)
      const [made] = await thumbnailKeys(created.id)
      assert.ok(made)
      await change(bench, created.id, [image(red), image(await gif('blue'))])
      const second = await processed(bench, created.id)
      assert.equal(second.imageHash, second.data[0]?.hash)
      assert.notEqual(second.imageHash, first.imageHash)
      await bench.collect()
      assert.deepEqual(await thumbnailKeys(created.id), [])
      const shown = async () => {
        const { png } = await bench.client.readThumbnail({ revisionId: created.id, type }, ada)
        return Buffer.from(png)
      }
      assert.ok((await shown()).equals(red))
      await change(bench, created.id, [image(blue)])
      await processed(bench, created.id)
      assert.ok((await shown()).equals(blue))
      await change(bench, created.id, [file(randomBytes(3))])
      const bare = await processed(bench, created.id)
      assert.deepEqual([bare.imageHash, bare.hasThumbnail], ['', false])
      assert.equal((await shown()).length, 0)
    })

    test('processes data that changes during the processing', async () => {
      const large = await sharp({
        create: { width: 5000, height: 5000, channels: 3, background: 'red' },
      })
        .gif()
        .toBuffer()
      const { id } = await publish(bench, [])
      await change(bench, id, [image(large)])
      await settled(async () => {
        const [row] = await bench.query<{ begun: number }>(
          'select processing_attempts as begun from revision where id = $1',
          [id],
        )
        // More if the job of the creation runs late: it then processes the new data, too.
        assert.ok(row && row.begun >= 1)
      })
      const updated = await change(bench, id, [image(await gif('blue'))])
      const done = await processed(bench, id)
      assert.equal(done.imageHash, updated.data[0]?.hash)
      assert.equal(done.hasThumbnail, true)
      const { png } = await bench.client.readThumbnail({ revisionId: id, type }, ada)
      assert.equal((await sharp(png).metadata()).width, 8)
      await bench.collect()
      assert.equal((await thumbnailKeys(id)).length, 1)
    })

    async function thumbnailKeys(id: string) {
      return (await bench.keys()).filter((key) => key.startsWith(`thumbnails/${id}/`))
    }

    test('finds an asset revision by the hash of its new data', async () => {
      const asset = { type: NodeType.ASSET_REVISION }
      const created = await publishAsset(bench, [file(randomBytes(10))])
      const updated = await change(bench, created.id, [file(randomBytes(20))], {}, asset)
      assert.equal(updated.isProcessing, true)
      await settled(async () => {
        const { revision } = await bench.client.getRevision({ id: created.id, ...asset }, ada)
        assert.equal(revision?.dataHash, updated.data[0]?.hash)
        assert.equal(revision?.isProcessing, false)
      })
    })

    test('appended data comes last', async () => {
      const { id, data } = await publish(bench, [file(Buffer.from('a'))])
      const updated = await append(bench, id, [file(Buffer.from('b')), file(Buffer.from('c'))])
      assert.deepEqual(updated.data[0], data[0])
      assert.equal(updated.data.length, 3)
      assert.equal(updated.sizeBytes, 3n)
      const nothing = await append(bench, id, [])
      assert.deepEqual(nothing.data, updated.data)
    })

    test('limits apply to the whole revision', async () => {
      const { id } = await publish(bench, [file(randomBytes(2 ** 21))])
      const mode = { mode: Mode.APPEND }
      const more = [file(randomBytes(2 ** 20)), file(randomBytes(1))]
      await refused(changed(id, more, {}, mode), { error: 'too_large' })
      const many = Array.from({ length: 20 }, () => file(randomBytes(1)))
      await refused(changed(id, many, {}, mode), { field: 'data' })
      const metadataJson = JSON.stringify({ text: 'x'.repeat(3 * 2 ** 20) })
      await append(bench, id, [{ ...file(randomBytes(1)), metadataJson }])
      await refused(changed(id, [{ ...file(randomBytes(1)), metadataJson }], {}, mode), {
        field: 'metadata',
      })
      await refused(changed(id, [], { metadataJson }, {}), { field: 'metadata' })
    })

    test('eight concurrent appends all succeed', async () => {
      const { id } = await publish(bench, [file(Buffer.from('first'))])
      const sizes = Array.from({ length: 8 }, (_, n) => [n + 10, n + 20])
      const answers = await Promise.all(
        sizes.map((pair) =>
          append(
            bench,
            id,
            pair.map((size) => file(randomBytes(size))),
          ),
        ),
      )
      for (const { data, sizeBytes } of answers) {
        assert.equal(
          sizeBytes,
          data.reduce((sum, one) => sum + one.sizeBytes, 0n),
        )
      }
      const total = BigInt(5 + sizes.flat().reduce((sum, size) => sum + size, 0))
      const done = await processed(bench, id)
      assert.equal(done.data.length, 17)
      assert.equal(done.sizeBytes, total)
      assert.equal(bench.catalog.nodes.get(id)?.sizeBytes, total)
      const rows = await bench.query<{ position: number }>(
        'select position from external_data where revision_id = $1 order by position',
        [id],
      )
      assert.deepEqual(
        rows.map((row) => row.position),
        rows.map((_, n) => n),
      )
      assert.deepEqual(
        answers.map((answer) => answer.version).sort((a, b) => a - b),
        [2, 3, 4, 5, 6, 7, 8, 9],
      )
      assert.equal(bench.catalog.reservations.size, 0)
      await settled(async () =>
        assert.deepEqual(await bench.query('select id from revision_update'), []),
      )
    })

    test('concurrent replacements and appends are atomic', async () => {
      const { id } = await publish(bench, [file(Buffer.from('first'))])
      await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          n % 2
            ? append(bench, id, [file(Buffer.from(`append ${n}`))])
            : change(bench, id, [file(Buffer.from(`a ${n}`)), file(Buffer.from(`b ${n}`))]),
        ),
      )
      const done = await processed(bench, id)
      const texts: string[] = []
      for (const one of done.data) texts.push((await download(bench, one.id)).bytes.toString())
      const [a, b, ...appended] = texts
      assert.equal(a?.replace('a', 'b'), b)
      assert.ok(appended.every((text) => text.startsWith('append')))
      const size = texts.reduce((sum, text) => sum + text.length, 0)
      assert.equal(bench.catalog.nodes.get(id)?.sizeBytes, BigInt(size))
    })

    test('rejects data that exceeds the plan', async () => {
      const { id } = await publish(bench, [file(randomBytes(1000))])
      const mode = { mode: Mode.APPEND }
      bench.catalog.quota.bytesLeft = 100n
      try {
        const error = 'max_storage_bytes'
        await refused(changed(id, [file(randomBytes(101))], {}, mode), { error })
        await refused(changed(id, [], {}, { ...mode, expectedBytes: 101n }), { error })
        await refused(changed(id, [file(randomBytes(1101))], {}), { error })
        const updated = await change(bench, id, [file(randomBytes(1100))])
        assert.equal(updated.sizeBytes, 1100n)
      } finally {
        delete bench.catalog.quota.bytesLeft
      }
    })

    test('replaces all links, or none', async () => {
      const [a, b, c] = [
        await publishAsset(bench),
        await publishAsset(bench),
        await publishAsset(bench),
      ]
      const to = (asset: Revision, useType = UseType.DIRECT) => ({
        assetRevisionId: asset.id,
        useType,
      })
      const ids = (links: AssetLink[]) => links.map((link) => link.assetRevisionId)
      const usersOf = async (asset: Revision) =>
        (await bench.client.listLinks({ assetRevisionId: asset.id }, ada)).links.map(
          (link) => link.figureRevisionId,
        )
      const { id } = await publish(bench, [], { links: [to(a), to(b)] })
      const links = { links: [to(c), to(b, UseType.INDIRECT)] }
      const updated = await change(bench, id, [], { links })
      assert.deepEqual(ids(updated.links), [c.id, b.id])
      assert.equal(updated.links[1]?.useType, UseType.INDIRECT)
      assert.deepEqual(await get({ id }), updated)
      assert.deepEqual(await usersOf(a), [])
      assert.deepEqual([await usersOf(b), await usersOf(c)], [[id], [id]])

      const same = await change(bench, id, [file(randomBytes(2))], {})
      assert.deepEqual(ids(same.links), [c.id, b.id])

      const hidden = await publishAsset(bench, [], bob)
      await refused(changed(id, [], { links: { links: [to(a), to(hidden)] } }), {
        code: 'PermissionDenied',
      })
      const missing = { links: [to(c), to({ ...a, id: randomUUID() })] }
      await refused(changed(id, [], { links: missing }), { field: 'assets[1].asset_revision' })
      assert.deepEqual(ids((await get({ id })).links), [c.id, b.id])

      // An existing link may stay, whoever can view it.
      bench.catalog.shares.add(`ada ${hidden.id}`)
      await change(bench, id, [], { links: { links: [to(a), to(hidden)] } })
      bench.catalog.shares.clear()
      const stays = await change(bench, id, [], { links: { links: [to(hidden), to(c)] } })
      assert.deepEqual(ids(stays.links), [hidden.id, c.id])

      assert.deepEqual((await change(bench, id, [], { links: { links: [] } })).links, [])
      assert.deepEqual([await usersOf(b), await usersOf(c)], [[], []])
      await refused(changed(a.id, [], { links }, { type: NodeType.ASSET_REVISION }), {
        field: 'assets',
      })
    })
  })
}

const picture = (background: string) =>
  sharp({ create: { width: 8, height: 6, channels: 3, background } })
const png = (color: string) => picture(color).png().toBuffer()
const gif = (color: string) => picture(color).gif().toBuffer()

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { type AssetLink, type Revision, UseType } from '@figbase/proto/revisions'
import { failsWith } from './failure.js'
import {
  ada,
  type Bench,
  bob,
  leftovers,
  parts,
  publish,
  publishAsset,
  startBench,
  transports,
  type,
} from './service.js'

const to = ({ id }: { id: string }, useType = UseType.DIRECT) => ({ assetRevisionId: id, useType })
const pairs = (links: AssetLink[]) =>
  links.map((link) => [link.figureRevisionId, link.assetRevisionId, link.useType])

for (const transport of transports) {
  describe(`links to assets (${transport})`, () => {
    let bench: Bench
    let assets: [Revision, Revision, Revision]
    before(async () => {
      bench = await startBench(transport, { REVISION_ASSETS_MAX: '5' })
      assets = [await publishAsset(bench), await publishAsset(bench), await publishAsset(bench)]
    })
    after(() => bench[Symbol.asyncDispose]())

    const get = async ({ id }: { id: string }, of = type) => {
      const { revision } = await bench.client.getRevision({ id, type: of }, ada)
      assert.ok(revision)
      return revision
    }
    const getAsset = (one: { id: string }) => get(one, NodeType.ASSET_REVISION)

    test("a new revision is linked both ways, in the caller's order", async () => {
      const [a, b, c] = assets
      const links = [to(c, UseType.INDIRECT), to(a), to(c, UseType.INDIRECT), to(b)]
      const created = await publish(bench, [], { links })
      assert.deepEqual(pairs(created.links), [
        [created.id, c.id, UseType.INDIRECT],
        [created.id, a.id, UseType.DIRECT],
        [created.id, b.id, UseType.DIRECT],
      ])
      assert.deepEqual(await get(created), created)
      assert.deepEqual(pairs((await getAsset(c)).links), [[created.id, c.id, UseType.INDIRECT]])
      const listed = await bench.client.listLinks({ assetRevisionId: c.id }, ada)
      assert.deepEqual(pairs(listed.links), [[created.id, c.id, UseType.INDIRECT]])
      const { revision } = await bench.client.getRevision(
        { id: c.id, type: NodeType.ASSET_REVISION, summary: true },
        ada,
      )
      assert.deepEqual(revision?.links, [])
    })

    test('names the invalid member of a link', async () => {
      const [a] = assets
      const before = await leftovers(bench)
      const cases: [object[], string][] = [
        [[to(a), to({ id: 'none' })], 'assets[1].asset_revision'],
        [[to(a), to({ id: randomUUID() })], 'assets[1].asset_revision'],
        [[to({ id: bench.figureId })], 'assets[0].asset_revision'],
        [[to(a, UseType.UNSPECIFIED)], 'assets[0].use_type'],
        [Array.from({ length: 6 }, () => to(a)), 'assets'],
      ]
      for (const [links, field] of cases) {
        const call = bench.client.createRevision(parts(bench.figureId, [], { links }), ada)
        await failsWith(call, { code: 'InvalidArgument', field })
      }
      assert.deepEqual(await leftovers(bench), before)
    })

    test('rejects links to revisions that the caller cannot view', async () => {
      const [a] = assets
      const before = await leftovers(bench)
      const hidden = await publishAsset(bench, [], bob)
      const links = [to(a), to(hidden)]
      const call = bench.client.createRevision(parts(bench.figureId, [], { links }), ada)
      await failsWith(call, { code: 'PermissionDenied', error: 'permission_denied' })
      assert.equal(
        (await bench.query('select from asset_link where asset_revision_id = $1', [hidden.id]))
          .length,
        0,
      )
      bench.catalog.shares.add(`ada ${hidden.id}`)
      const linked = await publish(bench, [], { links })
      assert.equal(linked.links.length, 2)
      // All viewers of the revision see the same links.
      bench.catalog.shares.add(`bob ${linked.id}`)
      const { revision } = await bench.client.getRevision({ id: linked.id, type }, bob)
      assert.deepEqual(revision?.links, linked.links)
      assert.deepEqual(before.keys, await bench.keys())
    })

    test('hides links to deleted revisions', async () => {
      const gone = await publishAsset(bench)
      const created = await publish(bench, [], { links: [to(assets[0]), to(gone)] })
      bench.catalog.nodes.delete(gone.id)
      assert.deepEqual(
        (await get(created)).links.map((link) => link.assetRevisionId),
        [assets[0].id],
      )
      bench.catalog.nodes.delete(created.id)
      const { links } = await getAsset(assets[0])
      assert.ok(links.every((link) => link.figureRevisionId !== created.id))
    })

    test('lists every revision that uses an asset, page by page', async () => {
      const asset = await publishAsset(bench)
      const { id: first } = await publish(bench, [], { links: [to(asset)] })
      // Like 2500 calls, but faster.
      await bench.query(
        `with made as (
           insert into revision (id, type, parent_id, revision_index, metadata, is_clean_room,
                                 is_processing, created_by, created_on)
           select gen_random_uuid(), 'figure_revision', $1, n, '{}', false, false, 'ada', now()
             from generate_series(1, 2500) n
           returning id
         )
         insert into asset_link (figure_revision_id, asset_revision_id, use_type, position)
         select id, $2, 1, 0 from made`,
        [randomUUID(), asset.id],
      )
      const template = bench.catalog.nodes.get(first)
      assert.ok(template)
      const rows = await bench.query<{ id: string }>(
        'select figure_revision_id as id from asset_link where asset_revision_id = $1 order by seq',
        [asset.id],
      )
      for (const { id } of rows) bench.catalog.nodes.set(id, { ...template, id })

      const found: string[] = []
      const { links, linksPageToken } = await getAsset(asset)
      found.push(...links.map((link) => link.figureRevisionId))
      for (let pageToken = linksPageToken; pageToken; ) {
        const page = await bench.client.listLinks({ assetRevisionId: asset.id, pageToken }, ada)
        found.push(...page.links.map((link) => link.figureRevisionId))
        pageToken = page.nextPageToken
      }
      assert.deepEqual(
        found,
        rows.map(({ id }) => id),
      )
      assert.equal(found.length, 2501)
      await failsWith(bench.client.listLinks({ assetRevisionId: asset.id, pageToken: '-' }, ada), {
        field: 'page_token',
      })
      await failsWith(bench.client.listLinks({ assetRevisionId: asset.id }, bob), {
        code: 'PermissionDenied',
      })
    })
  })
}

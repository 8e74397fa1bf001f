import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { unavailable } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import { UnlinkFigureRequest_Anchor as Anchor, UseType } from '@figbase/proto/revisions'
import { failsWith, settled } from './failure.js'
import {
  ada,
  type Bench,
  bob,
  publish,
  publishAsset,
  startBench,
  transports,
  type,
} from './service.js'

type Options = { anchor?: Anchor; deleteFigureRevision?: boolean; silent?: boolean }

for (const transport of transports) {
  describe(`removing links (${transport})`, () => {
    let bench: Bench
    before(async () => {
      bench = await startBench(transport)
    })
    after(() => bench[Symbol.asyncDispose]())

    async function linkedPair() {
      const asset = await publishAsset(bench)
      const useTypes = [UseType.DIRECT, UseType.INDIRECT]
      const links = useTypes.map((useType) => ({ assetRevisionId: asset.id, useType }))
      return { asset, figure: await publish(bench, [], { links }) }
    }
    const unlink = (asset: { id: string }, figure: { id: string }, more: Options = {}, as = ada) =>
      bench.client.unlinkFigure(
        { assetRevisionId: asset.id, figureRevisionId: figure.id, ...more },
        as,
      )
    const linksOf = async (id: string, of: NodeType) =>
      (await bench.client.getRevision({ id, type: of }, ada)).revision?.links.length
    const isLinked = async (asset: { id: string }, figure: { id: string }) => [
      await linksOf(asset.id, NodeType.ASSET_REVISION),
      await linksOf(figure.id, type),
    ]

    test('updates the figure revision', async () => {
      const { asset, figure } = await linkedPair()
      const { revision } = await unlink(asset, figure, { silent: true })
      assert.deepEqual(revision, asset)
      assert.deepEqual(await isLinked(asset, figure), [0, 0])
      const { nodeId, silent, hasLeaves } = bench.catalog.applied.at(-1) ?? {}
      assert.deepEqual([nodeId, silent, hasLeaves], [figure.id, true, false])
      assert.equal(bench.catalog.reservations.size, 0)
      await failsWith(unlink(asset, figure), { code: 'InvalidArgument', field: 'figure_revision' })
      assert.equal(bench.catalog.reservations.size, 0)
    })

    test('updates the asset revision', async () => {
      const { asset, figure } = await linkedPair()
      const { revision } = await unlink(asset, figure, { anchor: Anchor.ASSET_REVISION })
      assert.equal(revision?.updatedBy, 'ada')
      assert.equal(revision?.version, 2)
      assert.equal(bench.catalog.applied.at(-1)?.nodeId, asset.id)
      assert.deepEqual(await isLinked(asset, figure), [0, 0])
    })

    test('deletes the figure revision if requested', async () => {
      const { asset, figure } = await linkedPair()
      await unlink(asset, figure, { deleteFigureRevision: true })
      assert.equal(bench.catalog.nodes.has(figure.id), false)
      assert.equal(await linksOf(asset.id, NodeType.ASSET_REVISION), 0)
    })

    test('changes nothing unless everything is allowed', async () => {
      const { asset, figure } = await linkedPair()
      await failsWith(unlink(asset, figure, {}, bob), { code: 'PermissionDenied' })
      bench.catalog.shares.add(`bob ${asset.id}`)
      await failsWith(unlink(asset, figure, {}, bob), { code: 'PermissionDenied' })
      const gone = { id: randomUUID() }
      await failsWith(unlink(gone, figure), { code: 'NotFound' })
      await failsWith(unlink(asset, gone), { code: 'InvalidArgument', field: 'figure_revision' })
      await failsWith(unlink(asset, { id: 'x' }), { field: 'figure_revision' })
      assert.deepEqual(await isLinked(asset, figure), [2, 2])
      assert.equal(bench.catalog.reservations.size, 0)
    })

    test('the job repeats what catalog missed', async () => {
      const { asset, figure } = await linkedPair()
      bench.catalog.failing.set('ActivateUpdate', unavailable('catalog is away'))
      await unlink(asset, figure)
      assert.equal(bench.catalog.reservations.size, 1)
      bench.catalog.failing.clear()
      await settled(async () => assert.equal(bench.catalog.reservations.size, 0))
    })
  })
}

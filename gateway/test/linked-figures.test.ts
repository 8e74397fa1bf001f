import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { unavailable } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import { RevisionsService, UseType } from '@figbase/proto/revisions'
import { authorization, startEdge } from './start-edge.js'

const id = randomUUID()
const linksOf = (count: number) =>
  Array.from({ length: count }, () => ({
    figureRevisionId: randomUUID(),
    assetRevisionId: id,
    useType: UseType.INDIRECT,
  }))
const first = linksOf(1000)
const rest = new Map([
  ['second', { links: linksOf(1000), nextPageToken: 'third' }],
  ['third', { links: linksOf(1), nextPageToken: '' }],
])

/** Starts a gateway with an asset revision that has more links than fit into one page. */
const start = (failing?: string) =>
  startEdge((router) => {
    router.service(RevisionsService, {
      getRevision: () => ({
        revision: {
          id,
          type: NodeType.ASSET_REVISION,
          createdOn: { seconds: 1_790_000_000n },
          links: first,
          linksPageToken: 'second',
        },
      }),
      listLinks({ assetRevisionId, pageToken }) {
        assert.equal(assetRevisionId, id)
        if (pageToken === failing) throw unavailable('unavailable')
        return rest.get(pageToken) ?? {}
      },
    })
  })
const read = ({ url }: { url: string }) =>
  fetch(`${url}/api/v1.4.1/asset_revision/${id}/`, { headers: authorization() })

test('returns all links of an asset revision', async () => {
  await using edge = await start()
  const { figure_revisions: found } = (await (await read(edge)).json()) as {
    figure_revisions: { figure_revision: string; asset_revision: string; use_type: string }[]
  }
  const all = [first, ...[...rest.values()].map(({ links }) => links)].flat()
  assert.deepEqual(
    found,
    all.map(({ figureRevisionId }) => ({
      figure_revision: figureRevisionId,
      asset_revision: id,
      use_type: 'indirect',
    })),
  )
})

test('aborts the response if further links cannot be read', async () => {
  await using edge = await start('third')
  await assert.rejects(async () => (await read(edge)).json())
})

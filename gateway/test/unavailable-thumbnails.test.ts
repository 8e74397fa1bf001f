import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { failure, unavailable } from '@figbase/kit/errors'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { RevisionsService } from '@figbase/proto/revisions'
import { authorization, startEdge } from './start-edge.js'

const id = randomUUID()
const createdOn = { seconds: 1_790_000_000n }
const figure = { id: randomUUID(), type: NodeType.FIGURE, parentId: id, name: 'F', createdOn }
const ids = [randomUUID()]

/**
 * Starts a gateway with an analysis and a figure, and a revisions service that fails. `supportsLists`: whether
 * catalog returns lists with a node, unlike older versions.
 */
const start = (error: () => Error, supportsLists: boolean) =>
  startEdge((router) => {
    const fail = () => {
      throw error()
    }
    router.service(CatalogService, {
      getNode: ({ type, children }) => ({
        node: { id, type, parentId: randomUUID(), name: 'A', children: 1, createdOn },
        parent: { id: randomUUID(), name: 'W' },
        ...(supportsLists && {
          children: children.map((type) => ({ nodes: [{ ...figure, id: ids[0] ?? '', type }] })),
          newestRevisionIds: ids,
          scopedAssets: {},
        }),
      }),
      listChildren: ({ type }) => ({ nodes: type === NodeType.FIGURE ? [figure] : [] }),
      listScopedAssets: () => ({}),
      listNewestRevisions: () => ({ ids }),
      resolveNodes: () => ({ nodes: [{ ...figure, id: ids[0] ?? '', parentId: figure.id }] }),
      listActivity: () => ({
        entries: [{ id: '1', at: createdOn, targetId: figure.id, newestRevisionIds: ids }],
      }),
    })
    router.service(RevisionsService, {
      readNewestThumbnail: fail,
      readThumbnails: fail,
      listRevisions: fail,
      ...(supportsLists && { readSummaries: fail }),
    })
  })

const read = ({ url }: { url: string }, path: string) =>
  fetch(`${url}/${path}`, { headers: authorization() })

for (const supportsLists of [true, false]) {
  const services = supportsLists ? 'current services' : 'older services'
  test(`responds without optional pictures while revisions is unavailable (${services})`, async () => {
    await using edge = await start(() => unavailable('unavailable'), supportsLists)
    const analysis = await read(edge, `api/v1.4.1/analysis/${id}/`)
    assert.equal(analysis.status, 200)
    const { figures, thumbnail } = (await analysis.json()) as { figures: []; thumbnail: null }
    assert.deepEqual([figures.length, thumbnail], [1, null])
    const log = await read(edge, `api/v1.4.1/analysis/${id}/log/?deep=true`)
    assert.equal(log.status, 200)
    assert.equal(((await log.json()) as { items: [] }).items.length, 1)
    const page = await read(edge, `analysis/${id}`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /no picture/)
    assert.equal((await read(edge, `api/v1.4.1/figure/${id}/`)).status, 503)
  })

  test(`does not hide other errors of the revisions service (${services})`, async () => {
    await using edge = await start(() => failure(Code.Internal, 'internal', 'wrong'), supportsLists)
    assert.equal((await read(edge, `api/v1.4.1/analysis/${id}/`)).status, 500)
  })
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { failure, unavailable } from '@figbase/kit'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { RevisionsService } from '@figbase/proto/revisions'
import { authorization, startEdge } from './edge.js'

const id = randomUUID()
const createdOn = { seconds: 1_790_000_000n }
const figure = { id: randomUUID(), type: NodeType.FIGURE, parentId: id, name: 'F', createdOn }
const ids = [randomUUID()]

/**
 * A gateway before an analysis with a figure, whose pictures cannot be had; `knows`: catalog answers what a node is
 * opened with, as an older one does not.
 */
const start = (error: () => Error, knows: boolean) =>
  startEdge((router) => {
    const fail = () => {
      throw error()
    }
    router.service(CatalogService, {
      getNode: ({ type, children }) => ({
        node: { id, type, parentId: randomUUID(), name: 'A', children: 1, createdOn },
        parent: { id: randomUUID(), name: 'W' },
        ...(knows && {
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
      ...(knows && { readSummaries: fail }),
    })
  })

const read = ({ url }: { url: string }, path: string) =>
  fetch(`${url}/${path}`, { headers: authorization() })

for (const knows of [true, false]) {
  const services = knows ? 'the services of today' : 'older services'
  test(`without the service of pictures, what has only some beside it is answered: ${services}`, async () => {
    await using edge = await start(() => unavailable('away'), knows)
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

  test(`a service that fails otherwise is no service that is away: ${services}`, async () => {
    await using edge = await start(() => failure(Code.Internal, 'internal', 'wrong'), knows)
    assert.equal((await read(edge, `api/v1.4.1/analysis/${id}/`)).status, 500)
  })
}

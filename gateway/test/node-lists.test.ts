import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { failure, unavailable } from '@figbase/kit/errors'
import { CatalogService, type GetNodeRequest, NodeType } from '@figbase/proto/catalog'
import { RevisionsService } from '@figbase/proto/revisions'
import { authorization, startEdge } from './start-edge.js'

const { ORGANIZATION, WORKSPACE, ANALYSIS, FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION, STORY } =
  NodeType
const png = Buffer.from('89504e470d0a1a0a', 'hex')
const otherPng = Buffer.from('89504e470d0a1a0b', 'hex')
const createdOn = { seconds: 1_790_000_000n, nanos: 0 }

/** The types of children of each container. */
const contents = new Map([
  [ORGANIZATION, [WORKSPACE]],
  [WORKSPACE, [ANALYSIS, ASSET, STORY]],
  [ANALYSIS, [FIGURE]],
  [FIGURE, [FIGURE_REVISION]],
  [ASSET, [ASSET_REVISION]],
])
const segments = new Map([
  ['organization', ORGANIZATION],
  ['workspace', WORKSPACE],
  ['analysis', ANALYSIS],
  ['figure', FIGURE],
  ['asset', ASSET],
])
const parentId = randomUUID()
const organization = {
  logo: new Uint8Array(),
  allowLinkSharing: true,
  allowPerWorkspaceStorage: true,
}
const nodeOf = (type: NodeType, parentId: string) => ({
  id: randomUUID(),
  type,
  parentId,
  name: 'Named',
  children: 3,
  createdBy: 'ada',
  createdOn,
  ...(type === ORGANIZATION && { organization }),
})
type Listed = ReturnType<typeof nodeOf>

type Options = {
  /** Whether the services support lists in `getNode`, or only catalog does. Older services ignore them. */
  supportsLists: boolean | 'catalog'
  /** The number of nodes per page. */
  pageSize?: number
  failing?: Record<string, () => Error>
}

/** Starts a gateway with a fake catalog: one container with three children of each type. Records the RPCs. */
async function start(type: NodeType, { supportsLists, pageSize = 1000, failing = {} }: Options) {
  const calls: string[] = []
  const includes: Partial<GetNodeRequest>[] = []
  const container = nodeOf(type, parentId)
  const three = (type: NodeType) => [1, 2, 3].map(() => nodeOf(type, container.id))
  const lists = new Map((contents.get(type) ?? []).map((type) => [type, three(type)]))
  const scoped = three(ASSET)
  const ids = Array.from({ length: 3 }, () => randomUUID())
  const nodesOf = (nodes: Listed[] = [], pageToken = '') => {
    const begin = Number(pageToken)
    const end = begin + pageSize
    const nextPageToken = end < nodes.length ? String(end) : ''
    return { nodes: nodes.slice(begin, end), nextPageToken }
  }
  const revisionOf = ({ id, type }: { id: string; type: NodeType }) => ({
    id,
    type,
    parentId: container.id,
    createdBy: 'ada',
    createdOn,
  })
  const enter = (name: string) => {
    calls.push(name)
    const error = failing[name]?.()
    if (error) throw error
  }
  const edge = await startEdge((router) => {
    router.service(CatalogService, {
      getNode({ children, newestRevisions, scopedAssets }) {
        enter('getNode')
        includes.push({ children, newestRevisions, scopedAssets })
        if (!supportsLists) return { node: container }
        return {
          node: container,
          children: children.map((type) => nodesOf(lists.get(type))),
          newestRevisionIds: ids.slice(0, newestRevisions),
          ...(scopedAssets && { scopedAssets: nodesOf(scoped) }),
        }
      },
      listChildren({ parentId, type, pageToken }) {
        enter(`listChildren ${pageToken}`.trim())
        assert.equal(parentId, container.id)
        return nodesOf(lists.get(type), pageToken)
      },
      listScopedAssets({ analysisId, pageToken }) {
        enter(`listScopedAssets ${pageToken}`.trim())
        assert.equal(analysisId, container.id)
        return nodesOf(scoped, pageToken)
      },
    })
    router.service(RevisionsService, {
      listRevisions({ parentId, type, pageToken }) {
        enter(`listRevisions ${pageToken}`.trim())
        assert.equal(parentId, container.id)
        const { nodes, nextPageToken } = nodesOf(lists.get(type), pageToken)
        return { revisions: nodes.map(revisionOf), nextPageToken }
      },
      readNewestThumbnail({ id, sizePx }) {
        enter('readNewestThumbnail')
        assert.deepEqual([id, sizePx], [container.id, 256])
        return { png }
      },
      readThumbnails({ groups, sizePx }) {
        enter('readThumbnails')
        assert.deepEqual([groups.map(({ revisionIds }) => revisionIds), sizePx], [[ids], 256])
        return { pngs: [png] }
      },
      ...(supportsLists === true && {
        readSummaries({
          nodes,
          sizePx,
        }: {
          nodes: { id: string; type: NodeType }[]
          sizePx: number
        }) {
          enter('readSummaries')
          assert.equal(sizePx, 256)
          return {
            revisions: nodes.map(revisionOf),
            // If there are more pages, the newest revision is not on the first.
            png: nodes.length === 3 ? png : otherPng,
          }
        },
      }),
    })
  })
  return {
    calls,
    includes,
    container,
    lists,
    scoped,
    async read(segment: string, query = '') {
      calls.length = 0
      const url = `${edge.url}/api/v1.4.1/${segment}/${container.id}/${query}`
      const answer = await fetch(url, { headers: authorization() })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    },
    [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose](),
  }
}

const idsIn = (body: Record<string, unknown>, member: string) =>
  (body[member] as { api_id: string }[]).map((one) => one.api_id)

const members = new Map<NodeType, string>([
  [WORKSPACE, 'workspaces'],
  [ANALYSIS, 'analyses'],
  [FIGURE, 'figures'],
  [FIGURE_REVISION, 'revisions'],
  [ASSET, 'assets'],
  [ASSET_REVISION, 'revisions'],
  [STORY, 'stories'],
])

/** The expected RPCs for each document, with current and with older services. */
const calls: Record<string, { current: string[]; older: string[] }> = {
  organization: { current: ['getNode'], older: ['getNode', 'listChildren'] },
  workspace: { current: ['getNode'], older: ['getNode', ...Array(3).fill('listChildren')] },
  analysis: {
    current: ['getNode', 'readThumbnails'],
    older: ['getNode', 'listChildren', 'listScopedAssets', 'readNewestThumbnail'],
  },
  figure: {
    current: ['getNode', 'readSummaries'],
    older: ['getNode', 'listRevisions', 'readNewestThumbnail'],
  },
  asset: {
    current: ['getNode', 'readSummaries'],
    older: ['getNode', 'listRevisions', 'readNewestThumbnail'],
  },
}
const hasPicture = new Set(['analysis', 'figure', 'asset'])

for (const [segment, type] of segments) {
  for (const supportsLists of [true, false]) {
    const services = supportsLists ? 'current services' : 'older services'
    test(`returns the complete ${segment} with few RPCs (${services})`, async () => {
      await using edge = await start(type, { supportsLists })
      const { status, body } = await edge.read(segment)
      assert.equal(status, 200)
      for (const [type, nodes] of edge.lists) {
        const expected = nodes.map((node) => node.id)
        assert.deepEqual(idsIn(body, members.get(type) ?? ''), expected)
      }
      if (segment === 'analysis') {
        const expected = edge.scoped.map((node) => node.id)
        assert.deepEqual(idsIn(body, 'assets'), expected)
      }
      const picture = hasPicture.has(segment) ? png.toString('base64') : undefined
      assert.equal(body.thumbnail, picture)
      assert.deepEqual(edge.calls.toSorted(), calls[segment]?.[supportsLists ? 'current' : 'older'])
      assert.deepEqual(edge.includes, [
        {
          children: contents.get(type),
          newestRevisions: segment === 'analysis' ? 100 : 0,
          scopedAssets: segment === 'analysis',
        },
      ])
    })
  }

  test(`reads the further pages of the lists of ${segment}`, async () => {
    await using today = await start(type, { supportsLists: true, pageSize: 2 })
    const { body } = await today.read(segment)
    for (const [type, nodes] of today.lists) {
      const expected = nodes.map((node) => node.id)
      assert.deepEqual(idsIn(body, members.get(type) ?? ''), expected)
    }
    // The newest revisions are not on the first page, so its picture must not be used.
    const picture = hasPicture.has(segment) ? png.toString('base64') : undefined
    assert.equal(body.thumbnail, picture)
    const later = today.calls.filter((name) => name.startsWith('list'))
    assert.ok(later.length > 0)
    for (const name of later) assert.match(name, / 2$/)
  })

  test(`reads no lists for a shallow ${segment}`, async () => {
    await using edge = await start(type, { supportsLists: true })
    const { status, body } = await edge.read(segment, '?shallow=true')
    assert.equal(status, 200)
    assert.equal(body.api_id, edge.container.id)
    assert.deepEqual(edge.calls, ['getNode'])
    const nothing = { children: [], newestRevisions: 0, scopedAssets: false }
    assert.deepEqual(edge.includes, [nothing])
  })
}

test('returns complete figures and assets with an older revisions service', async () => {
  for (const [segment, type] of [
    ['figure', FIGURE],
    ['asset', ASSET],
  ] as const) {
    await using edge = await start(type, { supportsLists: 'catalog' })
    const { status, body } = await edge.read(segment)
    assert.equal(status, 200)
    const [revisions = []] = edge.lists.values()
    assert.deepEqual(
      idsIn(body, 'revisions'),
      revisions.map((node) => node.id),
    )
    assert.equal(body.thumbnail, png.toString('base64'))
    assert.deepEqual(edge.calls.toSorted(), calls[segment]?.older)
  }
})

test('without the revisions service, a figure is 503 and an analysis has no picture', async () => {
  const fail = () => unavailable('unavailable')
  const failing = { readSummaries: fail, readThumbnails: fail }
  await using figure = await start(FIGURE, { supportsLists: true, failing })
  assert.equal((await figure.read('figure')).status, 503)
  await using analysis = await start(ANALYSIS, { supportsLists: true, failing })
  const { status, body } = await analysis.read('analysis')
  assert.deepEqual([status, body.thumbnail, idsIn(body, 'figures').length], [200, null, 3])
})

test('reports a failing service instead of treating it as older', async () => {
  const wrong = () => failure(Code.Internal, 'internal', 'wrong')
  for (const [segment, type, name] of [
    ['figure', FIGURE, 'readSummaries'],
    ['analysis', ANALYSIS, 'readThumbnails'],
  ] as const) {
    await using edge = await start(type, { supportsLists: true, failing: { [name]: wrong } })
    assert.equal((await edge.read(segment)).status, 500)
    assert.deepEqual(edge.calls, ['getNode', name])
  }
})

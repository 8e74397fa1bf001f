import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { HandlerContext } from '@connectrpc/connect'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { DataType, RevisionsService } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import { authorization, startEdge } from './start-edge.js'

const createdOn = { seconds: 1_790_000_000n, nanos: 0 }

/** Starts a gateway with a fake catalog: one analysis with more objects than a page shows. Records the RPCs. */
async function startTree(env: Record<string, string> = {}) {
  const calls: string[] = []
  const seen = <T>(answer: T, { method }: HandlerContext) => {
    calls.push(method.name)
    return answer
  }
  const of = (type: NodeType, parentId = randomUUID()) => ({
    id: randomUUID(),
    type,
    parentId,
    name: 'Named',
    children: 1,
    createdBy: 'ada',
    createdOn,
  })
  const parent = { id: randomUUID(), type: NodeType.ANALYSIS, name: 'Above' }
  const figures = Array.from({ length: 80 }, () => of(NodeType.FIGURE))
  const revisions = figures.map(({ id }) => ({
    ...of(NodeType.FIGURE_REVISION, id),
    imageHash: 'a'.repeat(64),
    hasThumbnail: true,
    data: Array.from({ length: 80 }, (_, i) => ({
      id: randomUUID(),
      type: i < 40 ? DataType.CODE : DataType.FILE,
      sizeBytes: 4n,
    })),
    links: Array.from({ length: 80 }, () => ({
      assetRevisionId: randomUUID(),
      figureRevisionId: randomUUID(),
    })),
  }))
  const edge = await startEdge((router) => {
    router.service(CatalogService, {
      getNode: ({ type, children }, call) => {
        const lists = { children: children.map(() => ({ nodes: figures })), scopedAssets: {} }
        return seen({ node: of(type, parent.id), parent, ancestors: [parent], ...lists }, call)
      },
      listChildren: (_, call) => seen({ nodes: figures }, call),
      listScopedAssets: (_, call) => seen({ nodes: figures }, call),
      listNewestRevisions: (_, call) => seen({ ids: revisions.map(({ id }) => id) }, call),
      resolveNodes: ({ type, ids }, call) => {
        const known = revisions.filter(({ id }) => ids.includes(id))
        return seen({ nodes: known.length > 0 ? known : ids.map(() => of(type)) }, call)
      },
    })
    router.service(CommentsService, {
      async *listComments({ targetId, targetType }, call) {
        const author = 'ada'
        yield seen(
          { comments: figures.map(({ id }) => ({ id, targetId, targetType, author, createdOn })) },
          call,
        )
      },
      countComments: (_, call) => seen({ total: figures.length }, call),
    })
    const stories = figures.map(({ id, name }) => ({ id, name, createdOn }))
    router.service(StoriesService, { listTelling: (_, call) => seen({ stories }, call) })
    router.service(RevisionsService, {
      getRevision: (_, call) => seen({ revision: revisions[0] ?? {} }, call),
      listRevisions: (_, call) => seen({ revisions }, call),
      async *readData({ length = 0n }, call) {
        seen(undefined, call)
        yield { part: { case: 'chunk' as const, value: new Uint8Array(Number(length)).fill(97) } }
      },
    })
  }, env)
  const [revision] = revisions
  return { ...edge, calls, revision, [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose]() }
}

for (const [path, calls] of [
  ['analysis', 2],
  ['figure', 4],
  ['workspace', 1],
  ['organization', 1],
  ['asset', 7],
  ['revision', 17],
  ['asset_revision', 16],
] as const) {
  test(`the page of ${path} takes the same few RPCs for any number of items`, async () => {
    await using tree = await startTree()
    const url = `${tree.url}/${path}/${randomUUID()}`
    for (const headers of [{}, authorization()]) {
      const answer = await fetch(url, { headers })
      assert.equal(answer.status, 200)
      assert.ok((await answer.text()).length < 200_000)
      const called = tree.calls.splice(0)
      assert.equal(called.length, calls, called.join())
    }
  })
}

test('a comparison takes the same few RPCs for any number of objects', async () => {
  await using tree = await startTree()
  const { id, parentId } = tree.revision ?? {}
  for (const [query, calls] of [
    ['', 2],
    [`?from=${id}&to=${id}`, 24],
  ] as const) {
    const url = `${tree.url}/figure/${parentId}/compare/${query}`
    const answer = await fetch(url, { headers: authorization() })
    assert.equal(answer.status, 200)
    assert.ok((await answer.text()).length < 200_000)
    assert.equal(tree.calls.splice(0).length, calls)
  }
})

test('offers the picture URL for link previews only with PUBLIC_URL, and only to anonymous users', async () => {
  await using tree = await startTree({ PUBLIC_URL: 'https://figures.example.org' })
  const url = `http://127.0.0.1:${tree.port}/r/${randomUUID()}`
  const page = await (await fetch(url)).text()
  assert.match(page, /<meta property="og:title" content="Above, revision 1">/)
  assert.match(
    page,
    /<meta property="og:image" content="https:\/\/figures\.example\.org\/api\/v1\.4\.1\/revision\/[^/]+\/thumbnail\/1024\/\?dl=1">/,
  )
  assert.doesNotMatch(await (await fetch(url, { headers: authorization() })).text(), /"og:/)
})

test('shows an error page without internal details when a service fails', async () => {
  await using edge = await startEdge((router) => {
    router.service(CatalogService, {
      getNode: () => {
        throw new Error('select * from secrets')
      },
    })
  })
  const response = await fetch(`${edge.url}/figure/${randomUUID()}`)
  assert.equal(response.status, 500)
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  const page = await response.text()
  assert.match(page, /<h1>Something went wrong<\/h1>/)
  assert.doesNotMatch(page, /secrets/)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { CatalogService, NodeType, Permission } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { SiteService } from '@figbase/proto/identity/site'
import { InsightService } from '@figbase/proto/insight'
import { RevisionsService } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import { authorization, startEdge } from './start-edge.js'

/** A gateway with a revision and a story that the reader may change. */
const start = (aiEnabled: boolean) =>
  startEdge((router) => {
    router.service(SiteService, { getPublicSettings: () => ({ aiEnabled }) })
    router.service(CatalogService, {
      getNode: ({ id, type }) => ({
        node: { id, type, name: 'Named' },
        permissions: [Permission.VIEW, Permission.COMMENT, Permission.UPDATE],
      }),
      listRecent: () => ({}),
    })
    router.service(RevisionsService, {
      getRevision: ({ id }) => ({ revision: { id, type: NodeType.FIGURE_REVISION } }),
    })
    router.service(CommentsService, { async *listComments() {} })
    router.service(InsightService, { check: () => ({ available: true }) })
    router.service(StoriesService, {
      listTelling: () => ({}),
      getStory: ({ id }) => ({ story: { node: { id, name: 'Named' }, version: 1 } }),
    })
  })

for (const isOn of [true, false]) {
  test(`AI is ${isOn ? '' : 'not '}offered where it is ${isOn ? 'on' : 'off'}`, async () => {
    await using edge = await start(isOn)
    const id = randomUUID()
    const read = (path: string) => fetch(`${edge.url}${path}`, { headers: authorization() })
    for (const [path, mark] of [
      [`/revision/${id}/`, `href="/revision/${id}/ask/"`],
      [`/story/${id}/edit/`, `action="/story/${id}/write/"`],
      [`/story/${id}/slide/`, 'value="write"'],
      [`/workspace/${id}/new/story/`, 'name="generate"'],
    ] as const) {
      const answer = await read(path)
      assert.equal(answer.status, 200, path)
      assert.equal((await answer.text()).includes(mark), isOn, path)
    }
    assert.equal((await read(`/revision/${id}/ask/`)).status, isOn ? 200 : 404)
  })
}

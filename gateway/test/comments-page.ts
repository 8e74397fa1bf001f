import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { RevisionsService } from '@figbase/proto/revisions'
import { StoriesService } from '@figbase/proto/stories'
import type { RunningGateway } from '../src/index.js'
import { attributeOf, type Document, documentOf, type Element, elementsIn } from './dom.js'
import { authorization, startEdge } from './start-edge.js'

export type TestComment = {
  id: string
  author: string
  content: string
  parentCommentId?: string
  isEdited?: boolean
  isDeleted?: boolean
}
export type Comments = AsyncIterable<{ comments: TestComment[] }>

const createdOn = { seconds: 1_790_000_000n, nanos: 0 }
export const newComment = (content: string, more: Partial<TestComment> = {}): TestComment => ({
  id: randomUUID(),
  author: 'ada',
  content,
  ...more,
})

/** Starts a gateway with figures and assets of one name, and comments on them. */
export function startWith(
  listComments: (target: { targetId: string; targetType: NodeType }) => Comments,
  { env = {}, name = 'Means' }: { env?: Record<string, string>; name?: string } = {},
): Promise<RunningGateway> {
  const parent = { id: randomUUID(), type: NodeType.FIGURE, name }
  const of = (id: string, type: NodeType) => ({
    id,
    type,
    parentId: parent.id,
    name,
    createdBy: 'ada',
    createdOn,
  })
  return startEdge((router) => {
    router.service(CatalogService, {
      getNode: ({ id, type }) => ({ node: of(id, type), ancestors: [parent] }),
    })
    router.service(RevisionsService, {
      getRevision: ({ id, type }) => ({ revision: of(id, type) }),
      listRevisions: () => ({ revisions: [] }),
    })
    router.service(StoriesService, { listTelling: () => ({ stories: [] }) })
    router.service(CommentsService, {
      async *listComments(target) {
        let left = target.limit
        for await (const { comments } of listComments(target)) {
          const { targetId, targetType } = target
          const at = { createdOn, updatedOn: createdOn, targetId, targetType }
          const part = comments.slice(0, left)
          left -= part.length
          yield { comments: part.map((comment) => ({ ...at, ...comment })) }
        }
      },
      async countComments(target) {
        let total = 0
        for await (const { comments } of listComments(target)) total += comments.length
        return { total }
      },
    })
  }, env)
}

export async function* inBatches(...parts: TestComment[][]): Comments {
  for (const comments of parts) yield { comments }
}

export type Shown = { markup: string; document: Document; items: Element[] }

/** The parsed page, and the items of its list of comments. */
export async function readPage(
  { url }: { url: string },
  segment = 'r',
  id: string = randomUUID(),
): Promise<Shown> {
  const answer = await fetch(`${url}/${segment}/${id}`, { headers: authorization() })
  assert.equal(answer.status, 200)
  const markup = await answer.text()
  const document = documentOf(markup)
  const [list] = elementsIn(document).filter((one) => attributeOf(one, 'class') === 'comments')
  const items = list ? elementsIn(list).filter(({ parentNode }) => parentNode === list) : []
  return { markup, document, items }
}

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  type CatalogService,
  type ListDescendantsResponseSchema,
  Permission,
} from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { ChildCursor } from '../domain/child-cursor.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf, typeOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listChildren } from '../queries/children.js'
import {
  type Descendant,
  type Leaf,
  listChildrenOfMany,
  listLeavesOfMany,
} from '../queries/descendants.js'

type Impl = ServiceImpl<typeof CatalogService>

const pageMax = 1000

type Page = MessageInitShape<typeof ListDescendantsResponseSchema>

export function listDescendants(ctx: Ctx): Impl['listDescendants'] {
  return async function* (req, call) {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    const found = await findAccess(ctx.db, id, subject)
    const { type } = authorize(found, Permission.VIEW, subject, kind)
    if (type === 'organization') yield* inOrganization(ctx, id, call.signal)
    else yield* descendantsOf(ctx, [id], call.signal)
  }
}

/** The workspaces of an organization are roots of the tree, so they are listed separately. */
async function* inOrganization(
  ctx: Ctx,
  organizationId: string,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let after: ChildCursor | undefined
  do {
    const of = { parentId: organizationId, type: 'workspace', limit: pageMax } as const
    const page = await listChildren(ctx.db, of, { after })
    if (page.length === 0) return
    yield toPage(page)
    yield* descendantsOf(ctx, idsOf(page), signal)
    const last = page.length === pageMax ? page.at(-1) : undefined
    after = last && {
      position: last.position,
      createdOn: last.created_on,
      seq: last.seq.toString(),
    }
  } while (after)
}

/** Yields a page of children, then their descendants, then the next page: memory grows with the depth only. */
async function* descendantsOf(
  ctx: Ctx,
  parentIds: string[],
  signal: AbortSignal,
): AsyncGenerator<Page> {
  yield* leaves(ctx, parentIds, signal)
  let after: Descendant | undefined
  do {
    signal.throwIfAborted()
    const page = await listChildrenOfMany(ctx.db, parentIds, pageMax, after)
    if (page.length === 0) return
    yield toPage(page)
    yield* descendantsOf(ctx, idsOf(page), signal)
    after = page.length === pageMax ? page.at(-1) : undefined
  } while (after)
}

async function* leaves(ctx: Ctx, nodeIds: string[], signal: AbortSignal): AsyncGenerator<Page> {
  let after: Leaf | undefined
  do {
    signal.throwIfAborted()
    const page = await listLeavesOfMany(ctx.db, nodeIds, pageMax, after)
    if (page.length === 0) return
    yield { dataIds: idsOf(page) }
    after = page.length === pageMax ? page.at(-1) : undefined
  } while (after)
}

const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id)

const toPage = (nodes: Pick<Descendant, 'id' | 'type'>[]): Page => ({
  nodes: nodes.map(({ id, type }) => ({ id, type: typeOf(type) })),
})

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { principal } from '@figbase/kit'
import {
  type CatalogService,
  type ListDescendantsResponseSchema,
  Permission,
} from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { kindOf, typeOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import {
  type Descendant,
  type Leaf,
  listChildrenOfMany,
  listLeavesOfMany,
} from '../queries/descendants.js'
import { findAccess } from '../queries/nodes.js'

type Impl = ServiceImpl<typeof CatalogService>

const pageMax = 1000

type Page = MessageInitShape<typeof ListDescendantsResponseSchema>

export function listDescendants(ctx: Ctx): Impl['listDescendants'] {
  return async function* (req, call) {
    const { username } = principal(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, username, kind)
    authorize(await findAccess(ctx.db, id, username), Permission.VIEW, username, kind)
    yield* below(ctx, [id], call.signal)
  }
}

/** A page of children, then what is below those, then the next page: memory grows with the depth. */
async function* below(ctx: Ctx, parentIds: string[], signal: AbortSignal): AsyncGenerator<Page> {
  yield* leaves(ctx, parentIds, signal)
  let after: Descendant | undefined
  do {
    signal.throwIfAborted()
    const page = await listChildrenOfMany(ctx.db, parentIds, pageMax, after)
    if (page.length === 0) return
    yield { nodes: page.map(({ id, type }) => ({ id, type: typeOf(type) })) }
    yield* below(ctx, idsOf(page), signal)
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

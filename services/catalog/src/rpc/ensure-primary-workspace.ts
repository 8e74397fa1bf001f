import type { ServiceImpl } from '@connectrpc/connect'
import { requireSystem } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { CatalogService } from '@figbase/proto/catalog'
import { sql } from 'kysely'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { type Attribution, attributionOf } from '../domain/attribution.js'
import { createNode } from '../queries/creation.js'

type Impl = ServiceImpl<typeof CatalogService>

export function ensurePrimaryWorkspace(ctx: Ctx): Impl['ensurePrimaryWorkspace'] {
  return async (req, call) => {
    requireSystem(call)
    const username = checkedText('username', req.username, { charsMin: 1, charsMax: 1000 })
    const id = await ctx.transact(async (tx) => {
      // Serializes concurrent calls for one user, so that the second finds the workspace of the first.
      await sql`select pg_advisory_xact_lock(hashtext('primary workspace'), hashtext(${username}))`.execute(
        tx,
      )
      return (
        (await findPrimary(tx, username)) ?? create(ctx, tx, attributionOf(call, false, username))
      )
    })
    return { workspaceId: id }
  }
}

/** Uses node_primary_workspace_key. */
async function findPrimary(tx: Tx, username: string) {
  const row = await tx
    .selectFrom('node')
    .select('id')
    .where('created_by', '=', username)
    .where('workspace_type', '=', 'primary')
    .executeTakeFirst()
  return row?.id
}

async function create(ctx: Ctx, tx: Tx, by: Attribution) {
  const id = ctx.newId()
  await createNode(tx, {
    id,
    type: 'workspace',
    ancestors: [],
    workspaceId: id,
    workspaceType: 'primary',
    name: 'Primary Workspace',
    description: `${by.actor}'s primary workspace`,
    scopeId: null,
    organizationId: null,
    onBehalf: null,
    autoAssignPending: false,
    importSource: null,
    by,
    entryId: ctx.newOrderedId(),
  })
  ctx.wakeRelay(tx)
  return id
}

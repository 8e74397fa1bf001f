import type { ServiceImpl } from '@connectrpc/connect'
import { checkedText, requestId, requireSystem } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import { sql } from 'kysely'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { insertActivity } from '../queries/activity.js'
import { insertGrant } from '../queries/grants.js'
import { insertNode } from '../queries/writes.js'

type Impl = ServiceImpl<typeof CatalogService>

export function ensurePrimaryWorkspace(ctx: Ctx): Impl['ensurePrimaryWorkspace'] {
  return async (req, call) => {
    requireSystem(call)
    const username = checkedText('username', req.username, { charsMin: 1, charsMax: 1000 })
    const id = await ctx.transact(async (tx) => {
      // Two calls for one user at the same time: the second finds the first one's workspace.
      await sql`select pg_advisory_xact_lock(hashtext('primary workspace'), hashtext(${username}))`.execute(
        tx,
      )
      return (await findPrimary(tx, username)) ?? create(ctx, tx, username, requestId(call))
    })
    return { workspaceId: id }
  }
}

/** Served by node_primary_workspace_key. */
async function findPrimary(tx: Tx, username: string) {
  const row = await tx
    .selectFrom('node')
    .select('id')
    .where('created_by', '=', username)
    .where('workspace_type', '=', 'primary')
    .executeTakeFirst()
  return row?.id
}

async function create(ctx: Ctx, tx: Tx, username: string, requestIdOfCall: string) {
  const id = ctx.newId()
  const name = 'Primary Workspace'
  const { created_on: at } = await insertNode(tx, {
    id,
    type: 'workspace',
    parent_id: null,
    lineage: [id],
    workspace_id: id,
    name,
    description: `${username}'s primary workspace`,
    workspace_type: 'primary',
    state: 'active',
    created_by: username,
  })
  await insertGrant(tx, id, username, 'owner', username)
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    at,
    action: 'create',
    actor: username,
    requestId: requestIdOfCall,
    isSilent: false,
    target: { id, type: 'workspace', name },
    path: [{ id, type: 'workspace' }],
  })
  return id
}

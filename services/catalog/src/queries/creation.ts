import { statement } from '@figbase/kit'
import type { Db, NodeKind, StoredNode } from '../db/schema.js'
import type { By } from '../domain/by.js'
import { canonicalPayload } from '../domain/payload.js'
import { type EntrySql, entryOf, organizationOf } from './activity.js'
import { pathIsWhole, pathLocked } from './locks.js'
import { nothingBelow, ownColumns, type VisibleNode } from './nodes.js'

type OwnColumns = Omit<VisibleNode, keyof typeof nothingBelow>

/** A node to be made, and what its activity entry says. */
export type Creation = {
  id: string
  type: NodeKind
  /** From the root down to the parent; empty for a root. */
  ancestors: string[]
  /** Null for an organization, which is in none. */
  workspaceId: string | null
  workspaceType: StoredNode['workspace_type']
  name: string | null
  description: string | null
  scopeId: string | null
  /** Where a workspace is to be put, which its entry tells already. */
  organizationId: string | null
  onBehalf: OnBehalf | null
  autoAssignPending: boolean
  by: By
  entryId: string
}

/** For whom somebody else makes a node. */
export type OnBehalf = { name: string; email: string | null }

/**
 * What every creation writes beside the node, in the same statement: effects on the ancestors as rows
 * of their own, so that writers do not wait for each other, the entry of the activity log and its event.
 * Expects `path`, the locked ancestors, and `made`, the node.
 */
const effects = (entry: Pick<EntrySql, 'id' | 'by' | 'organization' | 'payload'>) => `
  , delta as (
    insert into node_delta (node_id, size_bytes, children, analyses, figures, assets, stories, at, actor,
                            workspace_id)
    select p.id, m.size_bytes, (p.id = m.parent_id)::int, (m.type = 'analysis')::int,
           (m.type = 'figure')::int, (m.type = 'asset')::int, (m.type = 'story')::int, m.created_on,
           m.created_by, m.workspace_id
      from path p, made m
  ) ${entryOf('create', { ...entry, at: 'm.created_on', actor: 'm.created_by' })}`

const ended = `select ${ownColumns}, n.size_bytes from made n`

const created = statement<OwnColumns>(`
  with path as materialized (${pathLocked('$1')}),
  made as (
    insert into node as n (id, type, parent_id, lineage, workspace_id, workspace_type, name,
                           description, created_by, scope_id, on_behalf_name, on_behalf_email,
                           auto_assign_pending, state)
    select $2::uuid, $3, ($1::uuid[])[cardinality($1::uuid[])], $1::uuid[] || $2::uuid, $4::uuid, $5,
           $6, $7, $8, $12::uuid, $16, $17, $18::boolean, 'active'
     where ${pathIsWhole('$1')}
    returning ${ownColumns}, n.size_bytes
  ), owner as (
    insert into access_grant (subject, node_id, kind, role, granted_by)
    select m.created_by, m.id, 'member', case m.type when 'workspace' then 'owner' else 'org_admin' end,
           m.created_by
      from made m where m.type in ('workspace', 'organization')
  ) ${effects({
    id: '$9',
    by: ['$13', '$10', '$11::boolean'],
    organization: `coalesce(case m.type when 'organization' then m.id end, $14::uuid, ${organizationOf('m.workspace_id')})`,
    payload: '$15',
  })}
  ${ended}`)

/** Makes a visible node; undefined when something above it was deleted or moved meanwhile. */
export async function createNode(db: Db, creation: Creation): Promise<VisibleNode | undefined> {
  const { id, type, ancestors, workspaceId, workspaceType, name, description } = creation
  const { entryId, scopeId, organizationId } = creation
  const { actor, actorKind, requestId, isSilent } = creation.by
  const parent = ancestors.at(-1) ?? organizationId ?? undefined
  const payload = { name, description: description ?? undefined, parent }
  const [node] = await created(
    db,
    ancestors,
    id,
    type,
    workspaceId,
    workspaceType,
    name,
    description,
    actor,
    entryId,
    requestId,
    isSilent,
    scopeId,
    actorKind,
    organizationId,
    canonicalPayload({ ...payload, analysis: scopeId ?? undefined }),
    creation.onBehalf?.name,
    creation.onBehalf?.email,
    creation.autoAssignPending,
  )
  return node && { ...node, ...nothingBelow }
}

const reserved = statement<Pick<StoredNode, 'created_on'>>(`
  with path as materialized (${pathLocked('$1')})
  insert into node (id, type, parent_id, lineage, workspace_id, created_by, held_bytes, on_behalf_name,
                    on_behalf_email, state)
  select $2::uuid, $3, ($1::uuid[])[cardinality($1::uuid[])], $1::uuid[] || $2::uuid, $4::uuid, $5,
         $6::bigint, $7, $8, 'pending'
   where ${pathIsWhole('$1')}
  returning created_on`)

export type Reservation = Pick<Creation, 'id' | 'type' | 'ancestors' | 'workspaceId'> & {
  by: string
  onBehalf: OnBehalf | null
  /** Counted as used until it is activated; null: nothing limits it. */
  heldBytes: bigint | null
}

/** Makes a node that nobody sees yet, and answers its time; undefined as `createNode`. */
export async function reserveNode(
  db: Db,
  { ancestors, id, type, workspaceId, by, onBehalf, heldBytes }: Reservation,
): Promise<string | undefined> {
  const held = heldBytes?.toString() ?? null
  const { name, email } = onBehalf ?? {}
  const [node] = await reserved(db, ancestors, id, type, workspaceId, by, held, name, email)
  return node?.created_on
}

// First the path, then the node, as a move does: else they would wait for each other.
const activated = statement<OwnColumns>(`
  with reserved as materialized (
    select n.id, n.lineage, n.lineage[:cardinality(n.lineage) - 1] as ancestors from node n
     where n.id = $1 and n.state = 'pending' and n.deleted_on is null
       and ($2::text is null or n.created_by = $2)
  ), path as materialized (
    ${pathLocked('(select r.ancestors from reserved r)')}
  ), made as (
    update node n
       set state = 'active', size_bytes = $3::bigint, position = $4::int, held_bytes = null
      from reserved r
     where n.id = r.id and n.state = 'pending' and n.lineage = r.lineage
       and ${pathIsWhole('(select r.ancestors from reserved r)')}
    returning ${ownColumns}, n.size_bytes
  ), leaves as (
    insert into leaf (id, node_id, size_bytes)
    select l.id, m.id, l.size from made m, unnest($5::uuid[], $6::bigint[]) as l (id, size)
  ) ${effects({
    id: '$7',
    by: ['$10', '$8', '$9::boolean'],
    organization: organizationOf('m.workspace_id'),
    payload: '$11',
  })}
  ${ended}`)

export type Activation = Pick<Creation, 'id' | 'entryId'> & {
  by: Omit<By, 'actor'>
  /** For whom it was reserved; null: whoever that is. */
  reservedBy: string | null
  position: number
  leaves: { id: string; sizeBytes: bigint }[]
}

/**
 * Shows a reserved node; undefined when it is not there, not pending, or what is
 * above it was deleted or moved meanwhile.
 */
export async function activateNode(
  db: Db,
  { id, by, reservedBy, position, leaves, entryId }: Activation,
): Promise<VisibleNode | undefined> {
  const size = leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, 0n)
  const ids = leaves.map((leaf) => leaf.id)
  const sizes = leaves.map((leaf) => leaf.sizeBytes.toString())
  const [node] = await activated(
    db,
    id,
    reservedBy,
    size.toString(),
    position,
    ids,
    sizes,
    entryId,
    by.requestId,
    by.isSilent,
    by.actorKind,
    canonicalPayload({ data: leaves.length, position, size_bytes: size }),
  )
  return node && { ...node, ...nothingBelow }
}

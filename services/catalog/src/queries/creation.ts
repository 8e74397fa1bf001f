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

/** Undefined: nobody makes it for somebody else. */
type OnBehalfValues = { onBehalfName: string | undefined; onBehalfEmail: string | null | undefined }

type CreatedNode = Omit<Creation, 'onBehalf' | 'by'> & By & OnBehalfValues & { payload: string }

const created = statement<OwnColumns, CreatedNode>(`
  with path as materialized (${pathLocked(':ancestors')}),
  made as (
    insert into node as n (id, type, parent_id, lineage, workspace_id, workspace_type, name,
                           description, created_by, scope_id, on_behalf_name, on_behalf_email,
                           auto_assign_pending, state)
    select :id::uuid, :type, (:ancestors::uuid[])[cardinality(:ancestors::uuid[])],
           :ancestors::uuid[] || :id::uuid, :workspaceId::uuid, :workspaceType, :name,
           :description, :actor, :scopeId::uuid, :onBehalfName, :onBehalfEmail,
           :autoAssignPending::boolean, 'active'
     where ${pathIsWhole(':ancestors')}
    returning ${ownColumns}, n.size_bytes
  ), owner as (
    insert into access_grant (subject, node_id, kind, role, granted_by)
    select m.created_by, m.id, 'member', case m.type when 'workspace' then 'owner' else 'org_admin' end,
           m.created_by
      from made m where m.type in ('workspace', 'organization')
  ) ${effects({
    id: ':entryId',
    by: [':actorKind', ':requestId', ':isSilent::boolean'],
    organization: `coalesce(case m.type when 'organization' then m.id end, :organizationId::uuid, ${organizationOf('m.workspace_id')})`,
    payload: ':payload',
  })}
  ${ended}`)

/** Makes a visible node; undefined when something above it was deleted or moved meanwhile. */
export async function createNode(db: Db, creation: Creation): Promise<VisibleNode | undefined> {
  const { by, onBehalf, ancestors, name, description, scopeId, organizationId } = creation
  const parent = ancestors.at(-1) ?? organizationId ?? undefined
  const payload = { name, description: description ?? undefined, parent }
  const [node] = await created(db, {
    ...creation,
    ...by,
    onBehalfName: onBehalf?.name,
    onBehalfEmail: onBehalf?.email,
    payload: canonicalPayload({ ...payload, analysis: scopeId ?? undefined }),
  })
  return node && { ...node, ...nothingBelow }
}

type ReservedNode = Omit<Reservation, 'onBehalf'> & OnBehalfValues

const reserved = statement<Pick<StoredNode, 'created_on'>, ReservedNode>(`
  with path as materialized (${pathLocked(':ancestors')})
  insert into node (id, type, parent_id, lineage, workspace_id, created_by, held_bytes, on_behalf_name,
                    on_behalf_email, state)
  select :id::uuid, :type, (:ancestors::uuid[])[cardinality(:ancestors::uuid[])],
         :ancestors::uuid[] || :id::uuid, :workspaceId::uuid, :by, :heldBytes::bigint, :onBehalfName,
         :onBehalfEmail, 'pending'
   where ${pathIsWhole(':ancestors')}
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
  { onBehalf, ...reservation }: Reservation,
): Promise<string | undefined> {
  const [node] = await reserved(db, {
    ...reservation,
    onBehalfName: onBehalf?.name,
    onBehalfEmail: onBehalf?.email,
  })
  return node?.created_on
}

type ActivatedNode = Omit<Activation, 'by' | 'leaves'> &
  Activation['by'] & {
    sizeBytes: bigint
    leafIds: string[]
    leafSizes: bigint[]
    payload: string
  }

// First the path, then the node, as a move does: else they would wait for each other.
const activated = statement<OwnColumns, ActivatedNode>(`
  with reserved as materialized (
    select n.id, n.lineage, n.lineage[:cardinality(n.lineage) - 1] as ancestors from node n
     where n.id = :id and n.state = 'pending' and n.deleted_on is null
       and (:reservedBy::text is null or n.created_by = :reservedBy)
  ), path as materialized (
    ${pathLocked('(select r.ancestors from reserved r)')}
  ), made as (
    update node n
       set state = 'active', size_bytes = :sizeBytes::bigint, position = :position::int,
           held_bytes = null
      from reserved r
     where n.id = r.id and n.state = 'pending' and n.lineage = r.lineage
       and ${pathIsWhole('(select r.ancestors from reserved r)')}
    returning ${ownColumns}, n.size_bytes
  ), leaves as (
    insert into leaf (id, node_id, size_bytes)
    select l.id, m.id, l.size
      from made m, unnest(:leafIds::uuid[], :leafSizes::bigint[]) as l (id, size)
  ) ${effects({
    id: ':entryId',
    by: [':actorKind', ':requestId', ':isSilent::boolean'],
    organization: organizationOf('m.workspace_id'),
    payload: ':payload',
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
  { by, leaves, ...activation }: Activation,
): Promise<VisibleNode | undefined> {
  const { position } = activation
  const sizeBytes = leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, 0n)
  const [node] = await activated(db, {
    ...activation,
    ...by,
    sizeBytes,
    leafIds: leaves.map((leaf) => leaf.id),
    leafSizes: leaves.map((leaf) => leaf.sizeBytes),
    payload: canonicalPayload({ data: leaves.length, position, size_bytes: sizeBytes }),
  })
  return node && { ...node, ...nothingBelow }
}

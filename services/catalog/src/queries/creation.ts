import { statement } from '@figbase/kit/db'
import { enqueueSql } from '@figbase/kit/jobs'
import type { Db, NodeKind, StoredNode } from '../db/schema.js'
import type { Attribution } from '../domain/attribution.js'
import { canonicalPayload } from '../domain/payload.js'
import { tellStale } from '../job-names.js'
import { type EntrySql, entryOf, organizationOf } from './activity.js'
import { type AssetUses, usesInserted } from './asset-uses.js'
import { pathIsIntact, pathLocked } from './locks.js'
import { emptySums, nodeColumns, type VisibleNode } from './node-sql.js'

type NodeColumns = Omit<VisibleNode, keyof typeof emptySums>

/** A node to create, with the data of its activity entry. */
export type Creation = {
  id: string
  type: NodeKind
  /** From the root down to the parent; empty for a root. */
  ancestors: string[]
  /** Null for an organization. */
  workspaceId: string | null
  workspaceType: StoredNode['workspace_type']
  name: string | null
  description: string | null
  scopeId: string | null
  /** The organization that a new workspace will join, for its activity entry. */
  organizationId: string | null
  onBehalf: OnBehalf | null
  autoAssignPending: boolean
  /** Null: it is not imported. */
  importSource: string | null
  by: Attribution
  entryId: string
}

/** The person on whose behalf a node is created. */
export type OnBehalf = { name: string; email: string | null }

/**
 * SQL for the rows that every creation writes in addition to the node, in the same statement: a delta for each
 * ancestor, so that writers do not wait for each other, the activity entry and its event. Expects `path`, the
 * locked ancestors, and `made`, the node.
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

const ended = `select ${nodeColumns}, n.size_bytes from made n`

/** Undefined when the node is not created on behalf of anybody. */
type OnBehalfValues = { onBehalfName: string | undefined; onBehalfEmail: string | null | undefined }

type CreatedNode = Omit<Creation, 'onBehalf' | 'by'> &
  Attribution &
  OnBehalfValues & { payload: string }

const created = statement<NodeColumns, CreatedNode>(`
  with path as materialized (${pathLocked(':ancestors')}),
  made as (
    insert into node as n (id, type, parent_id, lineage, workspace_id, workspace_type, name,
                           description, created_by, scope_id, on_behalf_name, on_behalf_email,
                           auto_assign_pending, import_source, state)
    select :id::uuid, :type, (:ancestors::uuid[])[cardinality(:ancestors::uuid[])],
           :ancestors::uuid[] || :id::uuid, :workspaceId::uuid, :workspaceType, :name,
           :description, :actor, :scopeId::uuid, :onBehalfName, :onBehalfEmail,
           :autoAssignPending::boolean, :importSource, 'active'
     where ${pathIsIntact(':ancestors')}
    returning ${nodeColumns}, n.size_bytes
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

/** Creates an active node; undefined when an ancestor was deleted or moved meanwhile. */
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
  return node && { ...node, ...emptySums }
}

type ReservedNode = Omit<Reservation, 'onBehalf'> & OnBehalfValues

const reserved = statement<Pick<StoredNode, 'created_on'>, ReservedNode>(`
  with path as materialized (${pathLocked(':ancestors')})
  insert into node (id, type, parent_id, lineage, workspace_id, name, description, created_by, held_bytes,
                    on_behalf_name, on_behalf_email, state)
  select :id::uuid, :type, (:ancestors::uuid[])[cardinality(:ancestors::uuid[])],
         :ancestors::uuid[] || :id::uuid, :workspaceId::uuid, :name, :description, :by,
         :reservedBytes::bigint, :onBehalfName, :onBehalfEmail, 'pending'
   where ${pathIsIntact(':ancestors')}
  returning created_on`)

export type Reservation = Pick<
  Creation,
  'id' | 'type' | 'ancestors' | 'workspaceId' | 'name' | 'description'
> & {
  by: string
  onBehalf: OnBehalf | null
  /** Counted as used storage until the node is activated; null: no plan limits it. */
  reservedBytes: bigint | null
}

/** Creates a pending node and returns its creation time; undefined as `createNode`. */
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

type ActivatedNode = Omit<Activation, 'by' | 'leaves' | 'uses'> &
  Activation['by'] & {
    usedIds: string[] | undefined
    usesVersion: number | undefined
    sizeBytes: bigint
    leafIds: string[]
    leafSizes: bigint[]
    payload: string
  }

// Locks the path before the node, as a move does, to avoid deadlocks.
const activated = statement<NodeColumns & { has_job: boolean }, ActivatedNode>(`
  with reserved as materialized (
    select n.id, n.lineage, n.lineage[:cardinality(n.lineage) - 1] as ancestors from node n
     where n.id = :id and n.state = 'pending' and n.deleted_on is null
       and (:reservedBy::text is null or n.created_by = :reservedBy)
  ), path as materialized (
    ${pathLocked('(select r.ancestors from reserved r)')}
  ), made as (
    update node n
       set state = 'active', size_bytes = :sizeBytes::bigint, position = :position::int,
           held_bytes = null, uses = cardinality(:usedIds::uuid[]), uses_version = :usesVersion::int
      from reserved r
     where n.id = r.id and n.state = 'pending' and n.lineage = r.lineage
       and ${pathIsIntact('(select r.ancestors from reserved r)')}
    returning ${nodeColumns}, n.size_bytes
  ), leaves as (
    insert into leaf (id, node_id, size_bytes)
    select l.id, m.id, l.size
      from made m, unnest(:leafIds::uuid[], :leafSizes::bigint[]) as l (id, size)
  ), used as (
    ${usesInserted('made', ':usedIds::uuid[]')}
  ), queued as materialized (
    select m.id, ${enqueueSql(tellStale, {
      key: 'm.id',
      payload: "json_build_object('assetRevisionId', m.id, 'requestId', :requestId::text)",
      workspaceId: 'm.workspace_id',
    })}
      from made m
     where m.type = 'asset_revision' and not :isSilent::boolean
       and exists (select from asset_use u where u.asset_id = m.parent_id)
  ) ${effects({
    id: ':entryId',
    by: [':actorKind', ':requestId', ':isSilent::boolean'],
    organization: organizationOf('m.workspace_id'),
    payload: ':payload',
  })}
  select ${nodeColumns}, n.size_bytes, q.id is not null as has_job from made n left join queued q on true`)

export type Activation = Pick<Creation, 'id' | 'entryId'> & {
  by: Omit<Attribution, 'actor'>
  /** Only a reservation of this user; null: of any user. */
  reservedBy: string | null
  position: number
  leaves: { id: string; sizeBytes: bigint }[]
  /** The size of content that is in no leaf. */
  ownBytes: bigint
  /** Undefined: not known. */
  uses: AssetUses | undefined
}

/**
 * Activates a reserved node; undefined when it does not exist or is not pending, or an ancestor was deleted or
 * moved meanwhile.
 */
export async function activateNode(
  db: Db,
  { by, leaves, uses, ...activation }: Activation,
): Promise<(VisibleNode & { has_job: boolean }) | undefined> {
  const { position, ownBytes } = activation
  const sizeBytes = leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, ownBytes)
  const [node] = await activated(db, {
    ...activation,
    ...by,
    usedIds: uses?.usedIds,
    usesVersion: uses?.version,
    sizeBytes,
    leafIds: leaves.map((leaf) => leaf.id),
    leafSizes: leaves.map((leaf) => leaf.sizeBytes),
    payload: canonicalPayload({ data: leaves.length, position, size_bytes: sizeBytes }),
  })
  return node && { ...node, ...emptySums }
}

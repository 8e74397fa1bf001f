import { statement } from '@figbase/kit/db'
import { isoTimeSql, publishSql } from '@figbase/kit/events'
import type { NodeActionName, NodeKind, Tx } from '../db/schema.js'
import type { Attribution } from '../domain/attribution.js'
import { nodeChanged } from '../events.js'

export type Entry = Attribution & {
  /** A UUIDv7; also the id of its event. */
  id: string
  at: string
  action: NodeActionName
  isDeparture?: true
  target: { id: string; type: NodeKind; name: string | null }
  /** From the root down to the target. */
  lineage: string[]
  /** The nodes whose logs contain the entry: those on the path whose type has a log of its subtree. */
  places: { id: string; type: NodeKind }[]
  /** The organization, if not the current one of the workspace. */
  organizationId?: string | null
  payload: string
}

/** SQL that publishes the event of `entry`, an inserted row of the log. */
const entryPublished: string = publishSql(nodeChanged, {
  id: 'e.id',
  key: 'e.target_id',
  actor: 'e.actor',
  requestId: 'e.request_id',
  payload: {
    nodeId: 'e.target_id',
    action: "'NODE_ACTION_' || upper(e.action)",
    type: "'NODE_TYPE_' || upper(e.target_type)",
    name: 'e.target_name',
    workspaceId: 'e.workspace_id',
    analysisId: 'e.analysis_id',
    figureId: 'e.figure_id',
    at: isoTimeSql('e.at'),
    silent: 'e.is_silent',
    organizationId: 'e.organization_id',
  },
  from: 'entry e',
})

const entryColumns = `
  id, at, action, actor, actor_kind, request_id, is_silent, is_departure, organization_id, workspace_id,
  analysis_id, figure_id, asset_id, path, payload, target_id, target_type, target_name`

/** SQL for the current organization of a workspace. */
export const organizationOf = (workspace: string): string =>
  `(select w.organization_id from node w where w.id = ${workspace})`

const places: NodeKind[] = ['workspace', 'analysis', 'figure', 'asset']

const placed = (kind: NodeKind) =>
  `case when m.type = '${kind}' then m.id else (select p.id from path p where p.type = '${kind}') end`

/** SQL for each part of an entry; `by`: kind of the actor, request id, whether the entry is silent. */
export type EntrySql = {
  id: string
  at: string
  action: string
  actor: string
  by: string[]
  organization: string
  payload: string
}

/** SQL that inserts an entry about the node `made` into its own log and the logs of `path`, its ancestors. */
export const entryInserted = (sql: EntrySql): string => `
  insert into activity (${entryColumns})
  select ${sql.id}::uuid, ${sql.at}, ${sql.action}, ${sql.actor}, ${sql.by.join(', ')}, false,
         ${sql.organization}, ${places.map(placed).join(', ')}, m.lineage, ${sql.payload}, m.id, m.type,
         m.name
    from made m
  returning ${entryColumns}`

/**
 * SQL that inserts the entry for an action on one node and publishes its event. Expects `made`, the node, and
 * `path`, its ancestors.
 */
export const entryOf = (action: NodeActionName, sql: Omit<EntrySql, 'action'>): string => `
  , entry as (
    ${entryInserted({ ...sql, action: `'${action}'` })}
  ), event as (
    ${entryPublished}
  )`

type InsertedEntry = Attribution &
  Pick<Entry, 'id' | 'at' | 'action' | 'lineage' | 'payload'> & {
    isDeparture: boolean
    /** False: the entry gets the organization of the workspace. */
    isOrganizationGiven: boolean
    organizationId: string | null
    workspaceId: string | null
    analysisId: string | null
    figureId: string | null
    assetId: string | null
    targetId: string
    targetType: NodeKind
    targetName: string | null
  }

const inserted = statement<never, InsertedEntry>(`
  with entry as (
    insert into activity (${entryColumns})
    select :id::uuid, :at::timestamptz, :action, :actor, :actorKind, :requestId, :isSilent::boolean,
           :isDeparture::boolean,
           case when :isOrganizationGiven::boolean then :organizationId::uuid
                else ${organizationOf(':workspaceId::uuid')} end,
           :workspaceId::uuid, :analysisId::uuid, :figureId::uuid, :assetId::uuid, :lineage::uuid[],
           :payload, :targetId::uuid, :targetType, :targetName
    returning ${entryColumns}
  ), placement as (
    insert into recent_placement (node_id)
    select e.target_id from entry e where e.action in ('move', 'restore')
  )
  ${entryPublished}`)

const leftOrganization = statement<{ id: string | null }>(`
  select nullif(${organizationOf('$1')}, ${organizationOf('$2')}) as id`)

/** The organization that a node leaves by a move between workspaces; null: none, or the same one. */
export async function organizationLeft(
  tx: Tx,
  fromWorkspaceId: string | null,
  toWorkspaceId: string,
): Promise<string | null> {
  return (await leftOrganization(tx, fromWorkspaceId, toWorkspaceId))[0]?.id ?? null
}

/** Inserts an entry and its event, and records a new place; the caller wakes the relay (`wakeRelay`). */
export async function insertActivity(tx: Tx, entry: Entry): Promise<void> {
  const on = (type: NodeKind) => entry.places.find((node) => node.type === type)?.id ?? null
  const organizationId = entry.organizationId ?? on('organization')
  await inserted(tx, {
    ...entry,
    isDeparture: entry.isDeparture ?? false,
    isOrganizationGiven: entry.organizationId !== undefined || organizationId !== null,
    organizationId,
    workspaceId: on('workspace'),
    analysisId: on('analysis'),
    figureId: on('figure'),
    assetId: on('asset'),
    targetId: entry.target.id,
    targetType: entry.target.type,
    targetName: entry.target.name,
  })
}

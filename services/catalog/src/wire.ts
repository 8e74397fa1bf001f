import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import {
  ActivityEntrySchema,
  DeletionSchema,
  InvitationSchema,
  NodeSchema,
  OnBehalfSchema,
  OrganizationSchema,
  ParentSchema,
  StaleBecauseSchema,
  WorkspaceType,
} from '@figbase/proto/catalog'
import { toRole } from './domain/roles.js'
import { typeOf } from './domain/types.js'
import type { LogEntry } from './queries/activity-log.js'
import type { Deletion } from './queries/deletions.js'
import type { Invitation } from './queries/invitations.js'
import type { ListedNode, StaleReason } from './queries/node-sql.js'
import type { ParentNode } from './queries/nodes.js'
import type { OrganizationDetails } from './queries/organizations.js'

/** Sets optional fields afterwards: an object literal with properties after a spread is slow on Node.js 20. */
export function toNode(row: ListedNode) {
  const node = create(NodeSchema, {
    id: row.id,
    type: typeOf(row.type),
    parentId: row.parent_id ?? row.organization_id ?? '',
    workspaceId: row.workspace_id ?? '',
    name: row.name ?? '',
    workspaceType: toWorkspaceType(row.workspace_type),
    sizeBytes: row.size_bytes,
    createdBy: row.created_by,
    createdOn: toTimestamp(row.created_on),
    updatedOn: toTimestampOrNone(row.updated_on),
    childUpdatedOn: toTimestampOrNone(row.child_updated_on),
    version: row.version,
    children: row.children,
    changesBelow: row.changes,
    scopeId: row.scope_id ?? '',
    autoAssignPending: row.auto_assign_pending,
    computeEnabled: row.has_compute === true,
    isStale: row.is_stale === true,
    importSource: row.import_source ?? '',
  })
  if (row.description !== null) node.description = row.description
  if (row.updated_by !== null) node.updatedBy = row.updated_by
  if (row.child_updated_by !== null) node.childUpdatedBy = row.child_updated_by
  if (row.on_behalf_name !== null) {
    const onBehalf = { name: row.on_behalf_name, email: row.on_behalf_email ?? '' }
    node.onBehalf = create(OnBehalfSchema, onBehalf)
  }
  if (row.stale_because) node.staleBecause = row.stale_because.map(toStaleBecause)
  return node
}

const toStaleBecause = (reason: StaleReason) =>
  create(StaleBecauseSchema, {
    assetId: reason.asset_id,
    assetName: reason.asset_name,
    usedRevisionId: reason.used_id,
    usedPosition: reason.used_position,
    newestRevisionId: reason.newest_id,
    newestPosition: reason.newest_position,
    changedOn: toTimestamp(reason.changed_on),
    changedBy: reason.changed_by,
  })

export function toOrganization(row: ListedNode, details: OrganizationDetails) {
  const { logo, allow_link_sharing, allow_per_workspace_storage, ...sums } = details
  const node = toNode({ ...row, ...sums })
  node.organization = create(OrganizationSchema, {
    ...(logo && { logo }),
    allowLinkSharing: allow_link_sharing,
    allowPerWorkspaceStorage: allow_per_workspace_storage,
  })
  return node
}

export function toDeletion(row: Deletion) {
  return create(DeletionSchema, {
    id: row.id,
    type: typeOf(row.type),
    name: row.name ?? '',
    deletedBy: row.deleted_by,
    deletedOn: toTimestamp(row.deleted_on),
    restorableUntil: toTimestamp(row.restorable_until),
  })
}

export function toInvitation(row: Invitation) {
  return create(InvitationSchema, {
    id: row.id,
    targetId: row.node_id,
    type: typeOf(row.type),
    email: row.email,
    role: toRole(row.role),
    invitedBy: row.invited_by,
    createdOn: toTimestamp(row.created_on),
    expiresOn: toTimestamp(row.expires_on),
  })
}

export function toParent({ id, type, name, description, parent_id }: ParentNode) {
  return create(ParentSchema, {
    id,
    type: typeOf(type),
    name: name ?? '',
    ...(description !== null && { description }),
    parentId: parent_id ?? '',
  })
}

function toWorkspaceType(type: ListedNode['workspace_type']) {
  if (type === 'primary') return WorkspaceType.PRIMARY
  return type === 'secondary' ? WorkspaceType.SECONDARY : WorkspaceType.UNSPECIFIED
}

export function toActivityEntry(row: LogEntry) {
  return create(ActivityEntrySchema, {
    id: row.id,
    at: toTimestamp(row.at),
    actor: row.actor,
    actorKind: row.actor_kind,
    action: row.action,
    targetId: row.target_id,
    targetType: typeOf(row.target_type),
    targetName: row.target_name ?? '',
    targetDeleted: row.target_deleted,
    analysisId: row.analysis_id ?? '',
    analysisName: row.analysis_name ?? '',
    payloadJson: row.payload,
    newestRevisionIds: row.newest_revision_ids,
  })
}

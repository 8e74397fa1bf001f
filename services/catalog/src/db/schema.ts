import type { Generated, GeneratedAlways, Kysely, Selectable, Transaction } from 'kysely'

export type NodeKind =
  | 'organization'
  | 'workspace'
  | 'analysis'
  | 'figure'
  | 'figure_revision'
  | 'asset'
  | 'asset_revision'
  | 'story'

export type NodeTable = {
  id: string
  seq: GeneratedAlways<bigint>
  type: NodeKind
  parent_id: string | null
  /** Ancestors from the root down, and the node itself. */
  lineage: string[]
  workspace_id: string | null
  /** Set for a workspace in an organization. */
  organization_id: string | null
  state: 'pending' | 'active'
  position: Generated<number>
  name: string | null
  description: string | null
  workspace_type: 'primary' | 'secondary' | null
  /** The analysis that an asset belongs to; ignored when the analysis is in another workspace. */
  scope_id: string | null
  /** The person on whose behalf the node was created. */
  on_behalf_name: string | null
  on_behalf_email: string | null
  size_bytes: Generated<bigint>
  created_by: string
  created_on: Generated<string>
  updated_by: string | null
  updated_on: string | null
  version: Generated<number>
  deleted_on: string | null
  held_bytes: bigint | null
  content_version: Generated<number>
  auto_assign_pending: Generated<boolean>
  /** Of a figure revision: the number of asset revisions that it uses; null: not known. */
  uses: number | null
  uses_version: number | null
  /** Null: it was not imported. */
  import_source: string | null
}

/** Reservations of content updates that are not applied yet. */
export type UpdateHoldTable = {
  id: string
  seq: GeneratedAlways<bigint>
  node_id: string
  workspace_id: string
  held_bytes: bigint | null
  at: string
  created_by: string
}

/** Folded sums over the subtree of a node. */
export type NodeStatTable = {
  node_id: string
  size_bytes: Generated<bigint>
  children: Generated<number>
  child_updated_by: string | null
  child_updated_on: string | null
  /** The number of folded deltas. */
  changes: Generated<bigint>
  workspace_id: string | null
  type: NodeKind | null
} & CountColumns

/** Numbers of live descendants by type. */
type CountColumns = {
  analyses: Generated<number>
  figures: Generated<number>
  assets: Generated<number>
  stories: Generated<number>
}

/** Changes below a node that are not folded yet. */
export type NodeDeltaTable = {
  id: GeneratedAlways<bigint>
  node_id: string
  size_bytes: bigint
  children: number
  at: string
  actor: string
  workspace_id: string | null
} & CountColumns

/** An asset revision that a figure revision uses. */
export type AssetUseTable = {
  figure_revision_id: string
  asset_revision_id: string
  asset_id: string
  position: number
}

/** Revisions of an asset, up to `position`, that do not make a figure stale. */
export type ConfirmationTable = { figure_id: string; asset_id: string; position: number }

export type LeafTable = { id: string; node_id: string; size_bytes: bigint }
export type TombstoneTable = {
  node_id: string
  deleted_by: string
  deleted_on: Generated<string>
  /** The path of the node at the deletion, itself last; null in old rows. */
  lineage: string[] | null
  /** When set, the node can no longer be restored. */
  purge_began_on: Generated<string | null>
}
/** A workspace that was detached when its organization was deleted. */
export type DissolvedWorkspaceTable = {
  workspace_id: string
  organization_id: string
  position: number
}
/** Members of workspaces and organizations, and shares of other nodes. */
export type AccessGrantTable = {
  /** A username; empty for a link, which grants access to everybody. */
  subject: string
  node_id: string
  kind: 'member' | 'share' | 'link'
  role: Role
  granted_by: string
  granted_on: Generated<string>
  seq: GeneratedAlways<bigint>
}
export type WorkspaceRole = 'owner' | 'admin' | 'creator' | 'viewer'
export type OrganizationRole =
  | 'org_admin'
  | 'workspace_admin'
  | 'workspace_creator'
  | 'workspace_viewer'
export type Role = WorkspaceRole | OrganizationRole
/** A granted role, or the role that a link gives to everybody. */
export type EffectiveRole = Role | 'link_viewer'

/** The columns of an organization in addition to its node. */
export type OrganizationTable = {
  node_id: string
  /** PNG. */
  logo: Buffer | null
  allow_link_sharing: Generated<boolean>
  allow_per_workspace_storage: Generated<boolean>
}

export type InvitationTable = {
  id: string
  seq: GeneratedAlways<bigint>
  node_id: string
  email: string
  role: Role
  invited_by: string
  /** SHA-256 of the token. */
  token_hash: Buffer
  created_on: Generated<string>
  expires_on: string
}

/** How the actor acted: signed in, with an API key, or through the system on their behalf. */
export type ActorKind = 'user' | 'api_key' | 'system'

/** Actions on a node; each is published as an action of NodeChanged. */
export type NodeActionName = 'create' | 'update' | 'move' | 'delete' | 'restore'
/** Actions on a comment on a node. */
export type CommentActionName = 'comment_create' | 'comment_update' | 'comment_delete'

export type ActivityTable = {
  id: string
  at: string
  seq: GeneratedAlways<bigint>
  action: NodeActionName | CommentActionName
  actor: string
  actor_kind: Generated<ActorKind>
  request_id: string
  is_silent: boolean
  /** True for the entry at the old place of a move; the new place has an entry of its own. */
  is_departure: Generated<boolean>
  /** The place of the action, at that time. */
  organization_id: string | null
  workspace_id: string | null
  analysis_id: string | null
  figure_id: string | null
  asset_id: string | null
  /** From the root down to the target, at the time. */
  path: Generated<string[]>
  /** Canonical JSON of the change. */
  payload: Generated<string>
  prev_hash: Buffer | null
  hash: Buffer | null
  target_id: string
  target_type: NodeKind
  target_name: string | null
}

export type Database = {
  node: NodeTable
  node_stat: NodeStatTable
  node_delta: NodeDeltaTable
  leaf: LeafTable
  asset_use: AssetUseTable
  confirmation: ConfirmationTable
  /** The newest announced revision of each asset. */
  asset_told: { asset_id: string; position: number }
  recent_placement: { id: GeneratedAlways<bigint>; node_id: string; placed_on: Generated<string> }
  tombstone: TombstoneTable
  dissolved_workspace: DissolvedWorkspaceTable
  update_hold: UpdateHoldTable
  access_grant: AccessGrantTable
  organization: OrganizationTable
  invitation: InvitationTable
  activity: ActivityTable
}

export type Db = Kysely<Database> | Transaction<Database>
export type Tx = Transaction<Database>
export type StoredNode = Selectable<NodeTable>

/** The members that tests read. The OpenAPI document checks the others. */
export interface Core {
  api_id: string
  entity_type: string
  size_bytes: number
  created_by: string
  created_on: string
  updated_by: string | null
  updated_on: string | null
  last_activity_on: string
}

export interface Container extends Core {
  name: string
  description: string | null
  child_updated_by: string | null
  child_updated_on: string | null
}

export interface Organization extends Container {
  logo: string | null
  allow_link_sharing: boolean
  allow_per_workspace_storage_settings: boolean
  workspaces?: Workspace[] | null
}

export interface Workspace extends Container {
  workspace_type: string
  organization: string | null
  compute_enabled: boolean
  analyses?: Analysis[] | null
  assets?: Asset[] | null
  stories?: unknown[] | null
}

export interface Analysis extends Container {
  workspace: string
  figures?: Figure[] | null
  assets?: Asset[] | null
}

export interface Asset extends Container {
  workspace: string
  analysis: string | null
  revisions?: AssetRevision[] | null
}

export interface StaleBecause {
  asset: string
  asset_name: string
  used_revision: string
  newest_revision: string
}

export interface Figure extends Container {
  analysis: string
  revisions?: Revision[] | null
  auto_assign_pending: boolean
  is_stale: boolean
  stale_because?: StaleBecause[]
}

export interface Revision extends Core {
  figure: string
  revision_index: number
  is_processing: boolean
  is_clean_room: boolean
  metadata?: unknown
  data?: DataObject[] | null
  assets?: Link[] | null
  image_hash?: string | null
  short_id?: string | null
  description?: string | null
  description_author?: string | null
  description_timestamp?: string | null
  figure_metadata?: { name?: string }
}

export interface AssetRevision extends Core {
  asset: string
  revision_index: number
  is_processing: boolean
  data_hash: string | null
  metadata?: unknown
  data?: DataObject[] | null
  figure_revisions?: Link[] | null
}

export interface Link {
  figure_revision: string
  asset_revision: string
  use_type: string
}

export interface LogItem {
  api_id: string
  username: string
  timestamp: string
  action: string
  target_id: string
  target_type: string
  target_name: string | null
  deleted: boolean
  deleted_sentinel: string | null
  thumbnail: string | null
  analysis_id: string | null
  analysis_name: string | null
  note: string | null
  reason: string | null
}

export interface LogPage {
  items: LogItem[]
  has_more: boolean
  total_count: number
  fetched_count: number
}

export interface DataObject extends Core {
  name: string | null
  type: string
  metadata: Record<string, unknown>
  data: string | null
  hash: string
  is_clean_room: boolean
  processing_error?: string | null
}

export interface User {
  username: string
  first_name: string
  last_name: string
  date_joined: string
  avatar: string | null
  using_auth0: boolean
  email?: string
  email_confirmed?: boolean
  is_active?: boolean
  is_staff?: boolean
  user_profile?: Record<string, unknown>
}

export interface Tokens {
  access: string
  refresh: string
}

export interface Thumbnail {
  format: string
  thumbnail: string | null
}

/** A data object as a client sends it. */
export interface DataToSend {
  name?: string | null
  type: string
  metadata?: unknown
  data?: string
  /** In place of `data`: the id or the URL of an upload. */
  upload?: string
  is_clean_room?: boolean
}

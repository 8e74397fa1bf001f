import type { Generated, GeneratedAlways, Kysely, Selectable } from 'kysely'
import type { ImportCounts, SlotContent, SlotKind } from '../domain/git-slots.js'
import type { RefusedPath } from '../git/repository.js'

type RevisionCounterTable = {
  parent_id: string
  next_index: number
}

export type RevisionType = 'figure_revision' | 'asset_revision'

type RevisionTable = {
  id: string
  seq: GeneratedAlways<bigint>
  type: RevisionType
  /** The figure or the asset. */
  parent_id: string
  revision_index: number
  /** The user's text: read it as `metadata::text`. */
  metadata: string
  is_clean_room: boolean
  is_processing: boolean
  processing_attempts: Generated<number>
  image_hash: string | null
  short_id: string | null
  derived_from: string | null
  /** The temporary figure that the revision was created in, if it was moved to another one. */
  assigned_from: string | null
  data_hash: string | null
  description: string | null
  description_author: string | null
  description_written_on: string | null
  created_by: string
  created_on: string
  version: Generated<number>
  content_version: Generated<number>
  /** Where it was imported from. */
  import_source: string | null
}

type BlobTable = {
  id: string
  storage: string
  key: string
  digest: string
  size_bytes: bigint
  refs: number
  /** When the last reference was removed. */
  dead_since: Generated<string | null>
}

type ExternalDataTable = {
  id: string
  revision_id: string
  /** Null if the data object is detached. */
  position: number | null
  name: string | null
  type: number
  /** The user's text: read it as `metadata::text`. */
  metadata: string
  is_clean_room: boolean
  blob_id: string
  size_bytes: bigint
  hash: string
  processing_error: string | null
  /** The data object of another revision that shares these bytes. */
  cloned_from: string | null
  created_by: string
  created_on: string
  detached_on: string | null
}

type AssetLinkTable = {
  figure_revision_id: string
  asset_revision_id: string
  use_type: number
  position: number
  seq: GeneratedAlways<bigint>
}

type RevisionUpdateTable = {
  /** The id of catalog's reservation. */
  id: string
  seq: GeneratedAlways<bigint>
  revision_id: string
  author: string
  has_data: boolean
  silent: boolean
  /** The figure revision whose link an update of an asset revision removed. */
  figure_revision_id: string | null
}

export type UploadState = 'open' | 'committed' | 'discarded'

type UploadTable = {
  id: string
  instance: number
  state: Generated<UploadState>
  /** Null means the default storage. */
  storage: Generated<string | null>
  started_on: Generated<string>
}

type ThumbnailTable = {
  revision_id: string
  data_id: string
  /** Null means that the bytes of the data object are the thumbnail. */
  key: string | null
  width: number
  height: number
  digest: string
  /** Difference hash of the picture. Null in rows from before migration 0007. */
  likeness: bigint | null
}

type AssignmentTable = {
  revision_id: string
  figure_id: string
  analysis_id: string
  username: string
  silent: boolean
  started_on: Generated<string>
  workspace_id: string | null
  task_id: string | null
  target_id: string | null
}

/**
 * Where a text comes from: the file itself, the contents of a drawing or a document, or the names of
 * columns.
 */
export type ExtractedTextSource = 'plain' | 'svg' | 'pdf' | 'columns'

type ExtractedTextTable = {
  data_id: string
  revision_id: string
  source: ExtractedTextSource
  text: string
}

type ProcessingFailureTable = {
  data_id: string
  step: 'picture' | 'text'
  revision_id: string
  reason: string
  at: Generated<string>
}

export type GitTargetType = 'analysis' | 'workspace'

type GitRepositoryTable = {
  id: string
  seq: GeneratedAlways<bigint>
  target_id: string
  target_type: GitTargetType
  workspace_id: string
  url: string
  branch: string
  /** Empty if there is none. */
  token_sealed: Buffer
  ssh_key_id: string | null
  include: string[]
  exclude: string[]
  schedule: string
  next_import_on: string | null
  host_keys: string
  host_key_fingerprints: string[]
  push_secret_sealed: Buffer
  imported_commit: string
  created_by: string
  created_on: Generated<string>
  updated_on: Generated<string>
}

export type GitImportState = 'WAITING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
export type GitImportTrigger = 'USER' | 'SCHEDULE' | 'PUSH'

type GitImportTable = {
  id: string
  seq: GeneratedAlways<bigint>
  repository_id: string
  task_id: string
  state: Generated<GitImportState>
  trigger: GitImportTrigger
  is_repeated: Generated<boolean>
  created_on: Generated<string>
  ended_on: string | null
  commit_id: string
  error: string
  counts: Partial<ImportCounts>
  refused: RefusedPath[]
}

type GitSlotTable = {
  id: string
  repository_id: string
  kind: SlotKind
  path: string
  name: string
  analysis_id: string | null
  is_created: boolean
  content: SlotContent | null
  revision_id: string | null
  revisions: number
  tags: string[]
  created_by_import: string | null
  changed_by_import: string | null
  renamed_by_import: string | null
}

export type Tables = {
  assignment: AssignmentTable
  revision_counter: RevisionCounterTable
  revision: RevisionTable
  blob: BlobTable
  external_data: ExternalDataTable
  upload: UploadTable
  thumbnail: ThumbnailTable
  asset_link: AssetLinkTable
  revision_update: RevisionUpdateTable
  extracted_text: ExtractedTextTable
  processing_failure: ProcessingFailureTable
  git_repository: GitRepositoryTable
  git_import: GitImportTable
  git_slot: GitSlotTable
}

/** The pool or a transaction. */
export type Db = Kysely<Tables>
export type RevisionRow = Omit<Selectable<RevisionTable>, 'metadata'> & {
  /** Digest, width and height. */
  thumbnail: [string, string, string] | null
}
export type DataRow = Selectable<ExternalDataTable>
/** A data object as it is first written. Its position is its index in the list. */
export type NewData = Omit<
  DataRow,
  'blob_id' | 'position' | 'processing_error' | 'detached_on' | 'cloned_from'
>
export type LinkRow = Pick<
  Selectable<AssetLinkTable>,
  'figure_revision_id' | 'asset_revision_id' | 'use_type'
>
export type UpdateRow = Selectable<RevisionUpdateTable>
export type AssignmentRow = Omit<Selectable<AssignmentTable>, 'started_on'>
export type ThumbnailRow = Selectable<ThumbnailTable>
export type GitRepositoryRow = Selectable<GitRepositoryTable>
export type GitImportRow = Selectable<GitImportTable>
export type GitSlotRow = Omit<Selectable<GitSlotTable>, `${string}_by_import`>

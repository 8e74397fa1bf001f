import type { Generated, GeneratedAlways, Kysely, Selectable } from 'kysely'

type FigureCounterTable = {
  figure_id: string
  next_index: number
}

type FigureRevisionTable = {
  id: string
  seq: GeneratedAlways<bigint>
  figure_id: string
  revision_index: number
  /** The user's text: read it as `metadata::text`. */
  metadata: string
  is_clean_room: boolean
  is_processing: boolean
  processing_attempts: Generated<number>
  image_hash: string | null
  short_id: string | null
  created_by: string
  created_on: string
  version: Generated<number>
}

type BlobTable = {
  id: string
  storage: string
  key: string
  digest: string
  size_bytes: bigint
  refs: number
}

type ExternalDataTable = {
  id: string
  revision_id: string
  position: number
  name: string | null
  type: number
  /** The user's text: read it as `metadata::text`. */
  metadata: string
  is_clean_room: boolean
  blob_id: string
  size_bytes: bigint
  hash: string
  processing_error: string | null
}

export type UploadState = 'open' | 'committed' | 'discarded'

type UploadTable = {
  id: string
  instance: number
  state: Generated<UploadState>
  started_on: Generated<string>
}

type ThumbnailTable = {
  revision_id: string
  data_id: string
  /** Null: the bytes are those of the data object. */
  key: string | null
  width: number
  height: number
  digest: string
}

export type Tables = {
  figure_counter: FigureCounterTable
  figure_revision: FigureRevisionTable
  blob: BlobTable
  external_data: ExternalDataTable
  upload: UploadTable
  thumbnail: ThumbnailTable
}

/** The pool or a transaction. */
export type Db = Kysely<Tables>
export type RevisionRow = Omit<Selectable<FigureRevisionTable>, 'metadata'>
export type DataRow = Selectable<ExternalDataTable>
/** As it is first written; the position is that in a list. */
export type NewData = Omit<DataRow, 'blob_id' | 'position' | 'processing_error'>
export type ThumbnailRow = Selectable<ThumbnailTable>

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toTimestamp } from '@figbase/kit/db'
import type { Node } from '@figbase/proto/catalog'
import type { DataObjectSchema, DataType, RevisionSchema, UseType } from '@figbase/proto/revisions'
import type { DataRow, LinkRow, NewData, RevisionRow } from './db/schema.js'
import { nodeTypeOf } from './domain/revision-kind.js'
import { digestOf } from './domain/thumbnail-digest.js'
import type { Uses } from './queries/links.js'
import type { ResumableUpload } from './queries/resumable-uploads.js'

/** What a revision needs of its node in catalog. */
export type Common = Pick<Node, 'sizeBytes' | 'createdBy'> &
  Partial<Pick<Node, 'parentId' | 'createdOn' | 'updatedBy' | 'updatedOn' | 'onBehalf'>>

/**
 * Optional members are set afterwards, because an object literal that continues after a spread is slow on
 * Node.js 20.
 */
export function toSummary(row: RevisionRow, node: Common) {
  const summary: MessageInitShape<typeof RevisionSchema> = {
    id: row.id,
    type: nodeTypeOf(row.type),
    // The current parent. The row may have the next one already.
    parentId: node.parentId ?? row.parent_id,
    revisionIndex: row.revision_index,
    sizeBytes: node.sizeBytes,
    isProcessing: row.is_processing,
    isCleanRoom: row.is_clean_room,
    imageHash: row.image_hash ?? '',
    dataHash: row.data_hash ?? '',
    hasThumbnail: row.thumbnail !== null,
    createdBy: node.createdBy,
    createdOn: node.createdOn ?? toTimestamp(row.created_on),
    version: row.version,
    shortId: row.short_id ?? '',
    derivedFrom: row.derived_from ?? '',
    importSource: row.import_source ?? '',
  }
  if (node.updatedBy !== undefined) summary.updatedBy = node.updatedBy
  if (node.updatedOn) summary.updatedOn = node.updatedOn
  if (node.onBehalf) summary.onBehalf = node.onBehalf
  if (row.thumbnail !== null) summary.thumbnail = toThumbnail(row.thumbnail)
  if (row.description !== null) summary.description = toDescription(row, row.description)
  return summary
}

function toThumbnail([digest, width, height]: NonNullable<RevisionRow['thumbnail']>) {
  return { digest: digestOf(digest), widthPx: Number(width), heightPx: Number(height) }
}

function toDescription({ description_author, description_written_on }: RevisionRow, text: string) {
  return {
    text,
    author: description_author ?? '',
    ...(description_written_on !== null && { writtenOn: toTimestamp(description_written_on) }),
  }
}

/** Links to revisions that exist, and the token of the next page. */
export type Links = { links: LinkRow[]; linksPageToken: string }

const noLinks: Links = { links: [], linksPageToken: '' }

type RowWithMetadata = RevisionRow & { metadata: string }

export function toRevision(
  row: RowWithMetadata,
  node: Common,
  data: NewData[],
  { links, linksPageToken }: Links = noLinks,
) {
  return Object.assign(toSummary(row, node), {
    // The size of this data: catalog may be ahead or behind while the revision changes.
    sizeBytes: sizeOf(data),
    metadataJson: row.metadata,
    data: data.map(toDataObject),
    links: links.map(toLink),
    linksPageToken,
  })
}

const sizeOf = (data: NewData[]) => data.reduce((sum, { size_bytes: size }) => sum + size, 0n)

export const toLink = (row: LinkRow) => ({
  figureRevisionId: row.figure_revision_id,
  assetRevisionId: row.asset_revision_id,
  useType: row.use_type as UseType,
})

/** The asset revisions of links may repeat. */
export const toAssetUses = ({ id, version, asset_revision_ids }: Uses) => ({
  figureRevisionId: id,
  version,
  assetRevisionIds: [...new Set(asset_revision_ids)],
})

export function toDataObject(row: NewData & Partial<Pick<DataRow, 'processing_error'>>) {
  const object: MessageInitShape<typeof DataObjectSchema> = {
    id: row.id,
    type: row.type as DataType,
    metadataJson: row.metadata,
    sizeBytes: row.size_bytes,
    hash: row.hash,
    isCleanRoom: row.is_clean_room,
    revisionId: row.revision_id,
    createdBy: row.created_by,
    createdOn: toTimestamp(row.created_on),
  }
  if (typeof row.name === 'string') object.name = row.name
  if (typeof row.processing_error === 'string') object.processingError = row.processing_error
  return object
}

/** A new revision as catalog will return it, if its answer was lost. */
export function assumedNode(row: RevisionRow, data: NewData[]): Common {
  return {
    sizeBytes: sizeOf(data),
    createdBy: row.created_by,
  }
}

/** An updated revision as catalog will return it, if its answer was lost. */
export const assumedUpdate = (
  row: RevisionRow,
  data: NewData[],
  updatedBy: string,
  updatedOn: Timestamp | undefined,
): Common => ({ ...assumedNode(row, data), updatedBy, ...(updatedOn && { updatedOn }) })

export const toUpload = (row: ResumableUpload) => ({
  id: row.id,
  offsetBytes: row.offset_bytes,
  ...(row.length_bytes !== null && { lengthBytes: row.length_bytes }),
  metadata: row.metadata,
  expiresOn: toTimestamp(row.expires_on),
})

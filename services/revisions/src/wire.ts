import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toTimestamp } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import type { DataType, UseType } from '@figbase/proto/revisions'
import type { DataRow, LinkRow, NewData, RevisionRow } from './db/schema.js'
import { nodeTypeOf } from './domain/revision-kind.js'
import type { ResumableUpload } from './queries/resumable-uploads.js'

/** What catalog knows of every object, as far as a revision shows it. */
export type Common = Pick<Node, 'sizeBytes' | 'createdBy'> &
  Partial<Pick<Node, 'parentId' | 'createdOn' | 'updatedBy' | 'updatedOn' | 'onBehalf'>>

export function toSummary(row: RevisionRow, node: Common) {
  return {
    id: row.id,
    type: nodeTypeOf(row.type),
    // Where it is now; the row says where it is going.
    parentId: node.parentId ?? row.parent_id,
    revisionIndex: row.revision_index,
    sizeBytes: node.sizeBytes,
    isProcessing: row.is_processing,
    isCleanRoom: row.is_clean_room,
    imageHash: row.image_hash ?? '',
    dataHash: row.data_hash ?? '',
    hasThumbnail: row.has_thumbnail,
    createdBy: node.createdBy,
    createdOn: node.createdOn ?? toTimestamp(row.created_on),
    version: row.version,
    shortId: row.short_id ?? '',
    derivedFrom: row.derived_from ?? '',
    ...(node.updatedBy !== undefined && { updatedBy: node.updatedBy }),
    ...(node.updatedOn && { updatedOn: node.updatedOn }),
    ...(node.onBehalf && { onBehalf: node.onBehalf }),
    ...(row.description !== null && { description: toDescription(row, row.description) }),
  }
}

function toDescription({ description_author, description_written_on }: RevisionRow, text: string) {
  return {
    text,
    author: description_author ?? '',
    ...(description_written_on !== null && { writtenOn: toTimestamp(description_written_on) }),
  }
}

/** Live links, and the token of the next page. */
export type Links = { links: LinkRow[]; linksPageToken: string }

const noLinks: Links = { links: [], linksPageToken: '' }

type Whole = RevisionRow & { metadata: string }

export function toRevision(
  row: Whole,
  node: Common,
  data: NewData[],
  { links, linksPageToken }: Links = noLinks,
) {
  return {
    ...toSummary(row, node),
    // Of these data: catalog may be ahead or behind while the revision changes.
    sizeBytes: sizeOf(data),
    metadataJson: row.metadata,
    data: data.map(toDataObject),
    links: links.map(toLink),
    linksPageToken,
  }
}

const sizeOf = (data: NewData[]) => data.reduce((sum, { size_bytes: size }) => sum + size, 0n)

export const toLink = (row: LinkRow) => ({
  figureRevisionId: row.figure_revision_id,
  assetRevisionId: row.asset_revision_id,
  useType: row.use_type as UseType,
})

export function toDataObject(row: NewData & Partial<Pick<DataRow, 'processing_error'>>) {
  return {
    id: row.id,
    ...(typeof row.name === 'string' && { name: row.name }),
    type: row.type as DataType,
    metadataJson: row.metadata,
    sizeBytes: row.size_bytes,
    hash: row.hash,
    isCleanRoom: row.is_clean_room,
    revisionId: row.revision_id,
    createdBy: row.created_by,
    createdOn: toTimestamp(row.created_on),
    ...(typeof row.processing_error === 'string' && { processingError: row.processing_error }),
  }
}

/** A new revision as catalog will show it, for when its own answer was lost. */
export function assumedNode(row: RevisionRow, data: NewData[]): Common {
  return {
    sizeBytes: sizeOf(data),
    createdBy: row.created_by,
  }
}

/** An updated revision as catalog will show it, for the same case. */
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

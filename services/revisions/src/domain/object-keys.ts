/** Where objects are kept; what is elsewhere in a store is not ours. */
export const prefixes = ['uploads/', 'thumbnails/', 'resumable/'] as const

/** Where an upload stages its objects: among others in one of 256 folders, which are there already. */
export const stagedPrefix = (uploadId: string): string =>
  `uploads/${uploadId.slice(-2)}/${uploadId}-`

/** Where the segments of a resumable upload are, in the default storage. */
export const segmentPrefix = (uploadId: string): string =>
  `resumable/${uploadId.slice(-2)}/${uploadId}-`

/** Of the segment with this id. */
export const segmentKey = (uploadId: string, id: string): string =>
  `${segmentPrefix(uploadId)}${id}`

/** Where the thumbnails of a revision are, in the default storage. */
export const thumbnailsOf = (revisionId: string): string => `thumbnails/${revisionId}/`

/** Of the picture with this digest, as it was made; or in a step of the ladder of sizes. */
export const thumbnailKey = (revisionId: string, digest: string, stepPx?: number): string =>
  `${thumbnailsOf(revisionId)}${digest}${stepPx ? `-${stepPx}` : ''}.png`

/** By its key, the row that an object may be of, besides a blob. */
export type KeyOwner =
  | { kind: 'upload' | 'resumable'; id: string }
  | { kind: 'thumbnail'; id: string; digest: string }

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const staged = new RegExp(`^uploads/[0-9a-f]{2}/(${uuid})-\\d+$`)
const thumbnail = new RegExp(`^thumbnails/(${uuid})/([0-9a-f]{64})(?:-\\d+)?\\.png$`)
const segment = new RegExp(`^resumable/[0-9a-f]{2}/(${uuid})-${uuid}$`)

/** Undefined for a key that this service does not make. */
export function ownerOf(key: string): KeyOwner | undefined {
  const [, upload] = staged.exec(key) ?? []
  if (upload) return { kind: 'upload', id: upload }
  const [, revision, digest] = thumbnail.exec(key) ?? []
  if (revision && digest) return { kind: 'thumbnail', id: revision, digest }
  const [, resumable] = segment.exec(key) ?? []
  return resumable ? { kind: 'resumable', id: resumable } : undefined
}

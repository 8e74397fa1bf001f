/** The prefixes of this service's objects. Other keys in a store do not belong to it. */
export const prefixes = ['uploads/', 'thumbnails/', 'resumable/'] as const

/** The prefix of an upload's staged objects. The 256 folders exist already. */
export const stagedPrefix = (uploadId: string): string =>
  `uploads/${uploadId.slice(-2)}/${uploadId}-`

/** The prefix of a resumable upload's segments, in the default storage. */
export const segmentPrefix = (uploadId: string): string =>
  `resumable/${uploadId.slice(-2)}/${uploadId}-`

export const segmentKey = (uploadId: string, id: string): string =>
  `${segmentPrefix(uploadId)}${id}`

/** The prefix of a revision's thumbnails, in the default storage. */
export const thumbnailsOf = (revisionId: string): string => `thumbnails/${revisionId}/`

/** The key of a thumbnail of the picture with this digest: in full size, or in one of the smaller sizes. */
export const thumbnailKey = (revisionId: string, digest: string, stepPx?: number): string =>
  `${thumbnailsOf(revisionId)}${digest}${stepPx ? `-${stepPx}` : ''}.png`

/** The row, besides a blob, that an object may belong to. It follows from the key. */
export type KeyOwner =
  | { kind: 'upload' | 'resumable'; id: string }
  | { kind: 'thumbnail'; id: string; digest: string }

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const staged = new RegExp(`^uploads/[0-9a-f]{2}/(${uuid})-\\d+$`)
const thumbnail = new RegExp(`^thumbnails/(${uuid})/([0-9a-f]{64})(?:-\\d+)?\\.png$`)
const segment = new RegExp(`^resumable/[0-9a-f]{2}/(${uuid})-${uuid}$`)

/** Undefined for a key that this service does not create. */
export function ownerOf(key: string): KeyOwner | undefined {
  const [, upload] = staged.exec(key) ?? []
  if (upload) return { kind: 'upload', id: upload }
  const [, revision, digest] = thumbnail.exec(key) ?? []
  if (revision && digest) return { kind: 'thumbnail', id: revision, digest }
  const [, resumable] = segment.exec(key) ?? []
  return resumable ? { kind: 'resumable', id: resumable } : undefined
}

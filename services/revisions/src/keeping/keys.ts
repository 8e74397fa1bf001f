/** Where objects are kept; what is elsewhere in a store is not ours. */
export const prefixes = ['uploads/', 'thumbnails/', 'resumable/'] as const

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

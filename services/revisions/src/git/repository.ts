import type { Readable } from 'node:stream'

/** A repository of somebody else, as its user registered it. */
export type Remote = {
  /** `https://…`, `ssh://…` or `user@host:path`; without a password. */
  url: string
  branch: string
  /** For HTTPS. */
  token?: string | undefined
  /** For SSH: a private key in the form of OpenSSH. */
  privateKey?: string | undefined
  /** For SSH: lines of `known_hosts` that were accepted at the first use; undefined at the first use. */
  hostKeys?: string | undefined
}

export type Commit = {
  /** Hexadecimal. */
  id: string
  author: string
  /** When the author made it. */
  date: Date
  /** The first line of its message. */
  subject: string
}

/** A regular file at the tip of the branch. */
export type RepositoryFile = {
  path: string
  /** Id of the content: equal for equal bytes. */
  blobId: string
  sizeBytes: number
}

/** A path that cannot be imported, and why, for a person. */
export type RefusedPath = { path: string; reason: string }

/** A fetched repository. Disposing of it removes all of its files. */
export type Repository = AsyncDisposable & {
  /** The tip of the branch. */
  head: Commit
  /** For SSH: lines of `known_hosts` of the server, for the next time. */
  hostKeys?: string | undefined
  /** For SSH: their SHA-256 fingerprints, for people. */
  hostKeyFingerprints: string[]
  /** Otherwise older commits than the limit allows are unknown. */
  isHistoryComplete: boolean
  /** Files of the tip, ordered by path, and what was left out. */
  listFiles(): Promise<{ files: RepositoryFile[]; refused: RefusedPath[] }>
  /** Only one file is read at a time, so read each to its end, or destroy its stream, before the next. */
  read(blobId: string): Promise<Readable>
  /** The newest commit that changed each path of the tip; without those that older, unknown commits changed. */
  lastChanges(): Promise<Map<string, Commit>>
  /** New path by old path of files that were renamed after that commit; empty if the commit is unknown. */
  renamesSince(commitId: string): Promise<Map<string, string>>
  /** Names of tags by the id of the commit to which they point. */
  tags(): Promise<Map<string, string[]>>
}

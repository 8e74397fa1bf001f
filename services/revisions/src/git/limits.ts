import type { PathLimits } from '../domain/git-paths.js'

/** Of one repository. */
export type GitLimits = PathLimits & {
  /** Of the fetch, and of each later command that reads history. */
  timeoutMs: number
  receivedBytesMax: number
  diskBytesMax: number
  /** Of each process. */
  memoryBytesMax: number
  objectsMax: number
  commitsMax: number
  filesMax: number
  fileBytesMax: number
  tagsMax: number
}

export { checkStore, requireStore } from './check.js'
export { type Deletions, lockDeletions, mayDelete, openDeletions } from './deletions.js'
export { createFileSystemStore } from './file-system.js'
export { exportsPrefix } from './key.js'
export {
  ObjectNotFound,
  type ObjectRange,
  type ObjectStore,
  type StorageProblem,
  StorageUnavailable,
  type StoredObject,
} from './port.js'
export { createS3Store, type S3Limits, type S3Options, s3ObjectBytesMax } from './s3.js'
export { openObjectStore, readS3Limits, readS3Settings } from './settings.js'

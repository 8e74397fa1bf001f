export type { paths } from './api.js'
export { type AssetInit, type SyncedAsset, syncAsset } from './assets.js'
export type { Credentials, Tokens } from './credentials.js'
export type { DataObject, DataType, Named, UploadStore } from './data-objects.js'
export { type Download, type DownloadInit, download } from './download.js'
export { type EventsInit, events, type LiveEvent } from './events.js'
export { createFigbase, type Figbase, type FigbaseOptions, readJson } from './figbase.js'
export { type FieldProblem, FigbaseError } from './figbase-error.js'
export { type FileKind, type Group, groupFiles, groupOf, stemOf } from './groups.js'
export { hashOf } from './hash.js'
export { count, type ListInit, list } from './list.js'
export { type Published, type PublishInit, publish } from './publish.js'
export type { SendRequest } from './send.js'
export type { RandomAccess, Source } from './source.js'
export { find, findOrCreate, type TreeNode, type TreePath } from './tree.js'
export type { Schemas } from './types.js'
export { type UploadInit, type UploadProgress, type UploadTarget, upload } from './upload.js'
export { apiVersion } from './urls.js'
export {
  type RevisionWaitInit,
  type TaskWaitInit,
  type WaitInit,
  waitForAssetRevision,
  waitForRevision,
  waitForTask,
} from './wait.js'

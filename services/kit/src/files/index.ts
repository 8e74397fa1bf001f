export { makeDirectory } from './make-directory.js'
export {
  createTemporaryDirectory,
  deleteAbandonedDirectories,
  type TemporaryDirectory,
} from './temporary-directory.js'

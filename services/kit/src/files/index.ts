export { makeDirectory } from './make-directory.js'

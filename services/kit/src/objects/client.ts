/** For programs that only use the object store: loads nothing else of the kit. */
export { readSettings } from '../config/config.js'
export { ObjectNotFound, type ObjectStore } from './port.js'
export { createS3Store } from './s3.js'
export { readS3Settings } from './settings.js'

/** For programs that reach the object store and nothing else: they load none of the rest of the kit. */
export { readSettings } from './config.js'
export { ObjectMissing, type ObjectStore } from './ports/objects/port.js'
export { createS3Store } from './ports/objects/s3.js'
export { readS3Settings } from './ports/objects/settings.js'

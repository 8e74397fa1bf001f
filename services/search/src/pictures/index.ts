export { compare, comparer, sameFrom } from './compare.js'
export { readPictureConfig } from './config.js'
export type { DecodeLimits } from './decode.js'
export {
  defaultLimits,
  describePicture,
  type PictureDescriptor,
  pictureVersion,
} from './describe.js'
export { PictureError } from './picture-error.js'
export { type Candidate, PictureIndex } from './picture-index.js'
export { createPicturePool, type PicturePool, type PicturePoolOptions } from './picture-pool.js'

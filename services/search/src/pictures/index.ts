export { compare, comparer, sameFrom } from './compare.js'
export { describePicture, type PictureDescriptor, pictureVersion } from './describe.js'
export { PictureError } from './picture-error.js'
export { type Candidate, PictureIndex } from './picture-index.js'

import { invalid } from '@figbase/kit/errors'
import { digestOf } from '../domain/thumbnail-digest.js'

const sizePxMax = 4096

/** The longer side in pixels; 0 is the full size. Throws `invalid`. */
export function checkSize(sizePx: number): void {
  if (sizePx < 0 || sizePx > sizePxMax)
    throw invalid('size', `must be an integer between 1 and ${sizePxMax}`)
}

/** Changes with the picture. */
export const etagOf = ({ digest }: { digest: string }, sizePx: number): string =>
  `${digestOf(digest)}-${sizePx}`

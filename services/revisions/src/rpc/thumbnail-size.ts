import { invalid } from '@figbase/kit'

const sizePxMax = 4096

/** Length of the longer side in pixels; 0: as it was made. Throws `invalid`. */
export function checkSize(sizePx: number): void {
  if (sizePx < 0 || sizePx > sizePxMax)
    throw invalid('size', `must be a whole number of pixels from 1 to ${sizePxMax}`)
}

/** Changes when the picture does. */
export const etagOf = ({ digest }: { digest: string }, sizePx: number): string =>
  `${digest.slice(0, 32)}-${sizePx}`

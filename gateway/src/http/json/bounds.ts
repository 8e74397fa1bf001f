import { BodyError } from './body-error.js'

export type JsonBounds = {
  /** Maximum nesting of arrays and objects. */
  depthMax: number
  /** Maximum number of values, counted by brackets and commas. */
  valuesMax: number
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Throws BodyError for JSON that is too expensive to parse: parsing many brackets and names takes a hundred
 * times as long as this check. Does not check the syntax.
 */
export function checkBounds(json: Uint8Array, { depthMax, valuesMax }: JsonBounds): void {
  let depth = 0
  let values = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) isInString = !isInString
    else if (isInString) {
      if (byte === backslash) at++
    } else if (byte === comma) values++
    else if (byte === openList || byte === openObject) {
      values++
      if (++depth > depthMax) throw tooDeep(depthMax)
    } else if (byte === closeList || byte === closeObject) depth--
  }
  if (values > valuesMax) {
    throw new BodyError('', `The body has more than ${valuesMax} values.`, 'too_large')
  }
}

const tooDeep = (depthMax: number) =>
  new BodyError('', `The body is nested more than ${depthMax} levels deep.`, 'invalid')

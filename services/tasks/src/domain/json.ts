import { invalid } from '@figbase/kit'

/** The JSON of a report, kept as it is; null when it is absent. */
export function checkedJson(
  field: string,
  text: string | undefined,
  bytesMax: number,
): string | null {
  if (text === undefined) return null
  if (Buffer.byteLength(text) > bytesMax) {
    throw invalid(field, `must have at most ${bytesMax} bytes`)
  }
  try {
    JSON.parse(text)
  } catch {
    throw invalid(field, 'is not JSON')
  }
  return text
}

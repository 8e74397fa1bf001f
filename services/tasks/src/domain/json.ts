import { invalid } from '@figbase/kit/errors'

/** Validates the JSON of a report and returns it unchanged; null when absent. */
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

import { invalid } from '@figbase/kit/errors'
import type { AiConfig } from '../model/config.js'

/** A text of the caller for the model; 400 if it is empty or too long. */
export function parsePrompt(
  field: string,
  text: string,
  { promptBytesMax }: Pick<AiConfig, 'promptBytesMax'>,
): string {
  const trimmed = text.trim()
  if (!trimmed) throw invalid(field, 'must not be empty')
  if (Buffer.byteLength(trimmed) > promptBytesMax) {
    throw invalid(field, `must have at most ${promptBytesMax} bytes`)
  }
  return trimmed
}

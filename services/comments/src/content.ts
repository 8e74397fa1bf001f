import { invalid } from '@figbase/kit/errors'
import { checkedText } from '@figbase/kit/text'
import type { Config } from './config.js'

/** Validates the size of a comment. The content is Markdown as the author wrote it: not sanitized. */
export function checkedContent({ commentBytesMax }: Config, content: string): string {
  if (content.trim() === '') throw invalid('content', 'must not be empty')
  // Every character has at least one byte.
  checkedText('content', content, { charsMax: commentBytesMax })
  if (Buffer.byteLength(content) > commentBytesMax) {
    throw invalid('content', `must be at most ${commentBytesMax} bytes`)
  }
  return content
}

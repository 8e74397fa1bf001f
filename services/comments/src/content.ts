import { checkedText, invalid } from '@figbase/kit'
import type { Config } from './config.js'

/** What somebody wrote, as it is: Markdown that nobody has looked at. */
export function checkedContent({ commentBytesMax }: Config, content: string): string {
  if (content.trim() === '') throw invalid('content', 'must not be empty')
  // No character has less than a byte.
  checkedText('content', content, { charsMax: commentBytesMax })
  if (Buffer.byteLength(content) > commentBytesMax) {
    throw invalid('content', `must have at most ${commentBytesMax} bytes`)
  }
  return content
}

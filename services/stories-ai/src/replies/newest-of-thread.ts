import type { Comment } from '@figbase/proto/comments'
import { estimateTokens } from '../model/estimate-tokens.js'

/** The comments of a thread that fit `tokensMax`: the newest ones, oldest first. Deleted ones say nothing. */
export function newestOfThread(comments: Comment[], tokensMax: number): Comment[] {
  const kept: Comment[] = []
  let left = tokensMax
  for (const comment of comments.filter(({ content }) => content).reverse()) {
    left -= estimateTokens(comment.content)
    // The one to reply to always fits: the limit of a comment is lower than that of a request.
    if (left < 0 && kept.length > 0) break
    kept.unshift(comment)
  }
  return kept
}

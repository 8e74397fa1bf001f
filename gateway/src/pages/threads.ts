import type { Comment } from '@figbase/proto/comments'

/** A comment in a thread: the comment that it answers, and its nesting depth. */
export type ThreadedComment = { comment: Comment; answered: Comment | undefined; depth: number }

/**
 * Orders comments (given oldest first) by thread: answers follow the comment that they answer. An answer to a
 * comment that is not in the list counts as a top-level comment.
 */
export function orderByThread(comments: Comment[]): ThreadedComment[] {
  const known = new Map<string, Comment>()
  const answers = new Map<string | undefined, Comment[]>()
  for (const comment of comments) {
    const answered = known.get(comment.parentCommentId)?.id
    const others = answers.get(answered)
    if (others) others.push(comment)
    else answers.set(answered, [comment])
    known.set(comment.id, comment)
  }
  const placed: ThreadedComment[] = []
  const place = (answered: Comment | undefined, depth: number) => {
    for (const comment of answers.get(answered?.id) ?? []) {
      placed.push({ comment, answered, depth })
      place(comment, depth + 1)
    }
  }
  place(undefined, 0)
  return placed
}

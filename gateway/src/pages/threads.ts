import type { Comment } from '@figbase/proto/comments'

/** A comment at its place: what it answers, and how far in it stands. */
export type Placed = { comment: Comment; answered: Comment | undefined; depth: number }

/**
 * Comments, oldest first, in the order in which they are read: answers below what they answer. What answers
 * one that is not there answers none.
 */
export function threadsOf(comments: Comment[]): Placed[] {
  const known = new Map<string, Comment>()
  const answers = new Map<string | undefined, Comment[]>()
  for (const comment of comments) {
    const answered = known.get(comment.parentCommentId)?.id
    const others = answers.get(answered)
    if (others) others.push(comment)
    else answers.set(answered, [comment])
    known.set(comment.id, comment)
  }
  const placed: Placed[] = []
  const place = (answered: Comment | undefined, depth: number) => {
    for (const comment of answers.get(answered?.id) ?? []) {
      placed.push({ comment, answered, depth })
      place(comment, depth + 1)
    }
  }
  place(undefined, 0)
  return placed
}

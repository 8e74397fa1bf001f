import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import { mentionLimitReached, tooManyMentions } from './errors.js'
import { insertMentions } from './queries/new-mentions.js'

/** Throws when the author has reached the limit of mentions per hour. */
export async function checkMentionLimit({ mentionsOfUser }: Ctx, author: string): Promise<void> {
  const allowance = await mentionsOfUser.peek(author)
  if (allowance.isExceeded) throw mentionLimitReached(allowance)
}

/** Returns the users whom the comment newly mentions, and counts them after the commit. */
export async function recordMentions(
  ctx: Ctx,
  tx: Tx,
  comment: { id: string; author: string },
  usernames: string[],
): Promise<string[]> {
  if (usernames.length === 0) return []
  const { mentionsMax } = ctx.cfg
  if (usernames.length > mentionsMax) throw tooManyMentions(mentionsMax)
  const { added, total } = await insertMentions(tx, comment.id, usernames)
  if (added.length === 0) return []
  if (total > mentionsMax) throw tooManyMentions(mentionsMax)
  ctx.afterCommit(tx, () => void ctx.mentionsOfUser.count(comment.author, added.length))
  return added
}

import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import { mentionsTooMany, tooManyMentioned } from './errors.js'
import { mailMention } from './jobs/mail-mention.js'
import { countMentions, insertMentions } from './queries/mentions.js'

/** Refuses who has mentioned too many people in the last hour. */
export async function requireMentions({ mentionsOfUser }: Ctx, author: string): Promise<void> {
  const allowance = await mentionsOfUser.peek(author)
  if (allowance.isExceeded) throw mentionsTooMany(allowance)
}

/** Those whom a comment mentions for the first time are told, and counted when that is committed. */
export async function tellMentioned(
  ctx: Ctx,
  tx: Tx,
  comment: { id: string; author: string },
  usernames: string[],
): Promise<void> {
  if (usernames.length === 0) return
  const { mentionsMax } = ctx.cfg
  if (usernames.length > mentionsMax) throw tooManyMentioned(mentionsMax)
  const anew = await insertMentions(tx, comment.id, usernames)
  if (anew.length === 0) return
  if ((await countMentions(tx, comment.id)) > mentionsMax) throw tooManyMentioned(mentionsMax)
  // So many at most: a mail each, which fails or succeeds for itself.
  for (const username of anew) {
    await ctx.enqueue(tx, mailMention, { commentId: comment.id, username })
  }
  ctx.afterCommit(tx, () => void ctx.mentionsOfUser.count(comment.author, anew.length))
}

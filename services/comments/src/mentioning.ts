import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import { mentionsTooMany, tooManyMentioned } from './errors.js'
import { insertMentions } from './queries/new-mentions.js'

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
  const { anew, total } = await insertMentions(tx, comment.id, usernames)
  if (anew === 0) return
  if (total > mentionsMax) throw tooManyMentioned(mentionsMax)
  ctx.enqueued(tx)
  ctx.afterCommit(tx, () => void ctx.mentionsOfUser.count(comment.author, anew))
}

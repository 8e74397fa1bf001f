import { statement } from '@figbase/kit/db'
import type { Tx } from '../db/schema.js'

const marked = statement<{ username: string }>(`
  update mention set mailed_on = clock_timestamp()
   where comment_id = $1 and username = $2 and mailed_on is null returning username`)

/** Marks a mention as mailed; false when it already was, or the comment is deleted. Uses mention_pkey. */
export async function markMailed(tx: Tx, commentId: string, username: string): Promise<boolean> {
  return (await marked(tx, commentId, username)).length > 0
}

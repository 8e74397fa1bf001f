import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { type DigestTime, nextDigest } from '../domain/notification-settings.js'
import { sendDigest } from '../job-names.js'

/** Enqueues the next digest of a person; without effect if it is enqueued already. */
export async function planDigest(
  { enqueue }: Pick<Ctx, 'enqueue'>,
  tx: Tx,
  username: string,
  settings: DigestTime,
  after: Date = new Date(),
): Promise<void> {
  const runAt = nextDigest(settings, after)
  const at = runAt.toISOString()
  await enqueue(tx, sendDigest, { username, at }, { key: `${username} ${at}`, runAt })
}

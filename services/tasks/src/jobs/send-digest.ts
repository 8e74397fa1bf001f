import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Mail } from '@figbase/kit/mail'
import type { Recipient } from '@figbase/proto/identity/accounts'
import type { Ctx } from '../context.js'
import { isDigestTime, settingsOf } from '../domain/notification-settings.js'
import { sendDigest } from '../job-names.js'
import { type DigestObject, digestMail } from '../mail/digest.js'
import { type Described, describe } from '../notifications/describe.js'
import { findRecipient, mailLinks } from '../notifications/recipient.js'
import { findSettings } from '../queries/notification-settings.js'
import { listForDigest, markInDigest } from '../queries/notifications.js'

type Payload = { username: string; at: string }

/** The newest ones; older ones are only counted. */
const readMax = 500

/** Mails a person what waits for their digest, in one mail. */
export const sendDigestJob: Job<Ctx, Payload> = defineJob<Ctx, Payload>({
  ...sendDigest,
  timeoutMs: 60_000,
  // Many persons have their digest at the same hour.
  concurrencyMax: 4,
  async run(ctx, { username, at }, signal) {
    const stored = await findSettings(ctx.db, username)
    // Another job is enqueued for the time that was chosen since.
    if (!isDigestTime(settingsOf(stored, true), new Date(at))) return
    const rows = await listForDigest(ctx.db, username, readMax)
    const [newest] = rows
    if (!newest) return
    const recipient = await findRecipient(ctx, username, signal)
    const settings = settingsOf(stored, recipient?.mentionEmails ?? false)
    const wanted = rows.filter(({ kind }) => settings[kind] !== 'NONE')
    const described = recipient ? await describe(ctx, recipient, wanted, signal) : []
    const mailOf = recipient && (await mailMaker(ctx, recipient, described))
    await ctx.transact(async (tx) => {
      const ended = await markInDigest(tx, username, newest.seq)
      if (ended === 0 || !mailOf) return
      const mail = mailOf(Math.max(0, ended - rows.length))
      if (mail) await ctx.sendMail(tx, mail)
    })
  },
})

/** A function from the number of notifications that were not read to the mail; undefined if there is nothing to say. */
async function mailMaker(
  ctx: Ctx,
  recipient: Recipient,
  described: Described[],
): Promise<(unread: number) => Mail | undefined> {
  const { email, mailLanguage: language } = recipient
  const links = mailLinks(ctx, { username: recipient.username.toLowerCase(), from: 'digest' })
  const frame = { site: await ctx.readSite(), language }
  const all = byObject(described)
  const objects = all.slice(0, ctx.cfg.digestItemsMax)
  const hidden = all.slice(objects.length).reduce((sum, { told }) => sum + told.length, 0)
  return (unread) => {
    if (objects.length === 0) return undefined
    const content = digestMail(frame, { objects, more: hidden + unread }, links)
    return { ...content, to: { address: email }, unsubscribeUrl: links.unsubscribeUrl }
  }
}

/** The object with the newest notification first; of each, the oldest first. */
function byObject(described: Described[]): DigestObject[] {
  const objects = new Map<string, DigestObject>()
  for (const one of described) {
    const object = objects.get(one.objectId)
    if (object) object.told.unshift(one)
    else objects.set(one.objectId, { told: [one] })
  }
  return [...objects.values()]
}

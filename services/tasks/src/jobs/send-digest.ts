import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Mail } from '@figbase/kit/mail'
import type { Recipient } from '@figbase/proto/identity/accounts'
import type { Ctx } from '../context.js'
import {
  hasPlaces,
  isDigestTime,
  settingsOf,
  sinceBefore,
} from '../domain/notification-settings.js'
import { sendDigest } from '../job-names.js'
import { type DigestObject, digestMail } from '../mail/digest.js'
import { type Described, describe } from '../notifications/describe.js'
import { planDigest } from '../notifications/plan-digest.js'
import { readActivity } from '../notifications/read-activity.js'
import { findRecipient, mailLinks } from '../notifications/recipient.js'
import { findSettings, markDigested } from '../queries/notification-settings.js'
import { listForDigest, markInDigest } from '../queries/notifications.js'

type Payload = { username: string; at: string }

/** The newest ones; older ones are only counted. */
const readMax = 500

/** Mails a person what waits for their digest, and what happened in the places that they chose, in one mail. */
export const sendDigestJob: Job<Ctx, Payload> = defineJob<Ctx, Payload>({
  ...sendDigest,
  timeoutMs: 60_000,
  // Many persons have their digest at the same hour.
  concurrencyMax: 4,
  async run(ctx, { username, at }, signal) {
    const stored = await findSettings(ctx.db, username)
    const time = new Date(at)
    const chosen = settingsOf(stored, true)
    // Another job is enqueued for the time that was chosen since.
    if (!isDigestTime(chosen, time)) return
    const rows = await listForDigest(ctx.db, username, readMax)
    if (rows.length === 0 && !hasPlaces(chosen)) return
    const recipient = await findRecipient(ctx, username, signal)
    const settings = settingsOf(stored, recipient?.mentionEmails ?? false)
    const since = stored?.digested_on ? new Date(stored.digested_on) : sinceBefore(settings, time)
    const wanted = rows.filter(({ kind }) => settings[kind] !== 'NONE')
    const described = recipient ? await describe(ctx, recipient, wanted, signal) : []
    const activity = recipient
      ? await readActivity(ctx, recipient.username, settings, since, signal)
      : []
    const mailOf = recipient && (await mailMaker(ctx, recipient))
    await ctx.transact(async (tx) => {
      const ended = rows[0] ? await markInDigest(tx, username, rows[0].seq) : 0
      const isFirst = hasPlaces(settings) && (await markDigested(tx, username, at))
      // Nothing else enqueues the digest of somebody who gets no notifications.
      if (isFirst) await planDigest(ctx, tx, username, settings, later(time))
      const all = [...(ended > 0 ? described : []), ...(isFirst ? activity : [])]
      if (!mailOf || all.length === 0) return
      await ctx.sendMail(tx, mailOf(all, Math.max(0, ended - rows.length)))
    })
  },
})

/** After this job, also if it ran early. */
const later = (time: Date) => new Date(Math.max(time.getTime(), Date.now()))

/** Makes the mail about what is new, with the number of notifications that were not read. */
async function mailMaker(
  ctx: Ctx,
  recipient: Recipient,
): Promise<(all: Described[], unread: number) => Mail> {
  const { email, mailLanguage: language } = recipient
  const links = mailLinks(ctx, { username: recipient.username.toLowerCase(), from: 'digest' })
  const frame = { site: await ctx.readSite(), language }
  return (all, unread) => {
    const found = byObject(all)
    const objects = found.slice(0, ctx.cfg.digestItemsMax)
    const hidden = found.slice(objects.length).reduce((sum, { notices }) => sum + notices.length, 0)
    const content = digestMail(frame, { objects, more: hidden + unread }, links)
    return { ...content, to: { address: email }, unsubscribeUrl: links.unsubscribeUrl }
  }
}

/** The object with the newest notification first; of each, the oldest first. */
function byObject(described: Described[]): DigestObject[] {
  const objects = new Map<string, DigestObject>()
  for (const one of described) {
    const object = objects.get(one.objectId)
    if (object) object.notices.unshift(one)
    else objects.set(one.objectId, { notices: [one] })
  }
  return [...objects.values()]
}

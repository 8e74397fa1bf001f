import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Mail } from '@figbase/kit/mail'
import type { Recipient } from '@figbase/proto/identity/accounts'
import type { Ctx } from '../context.js'
import type { NotificationRow, Tx } from '../db/schema.js'
import {
  type Delivery,
  type NotificationSettings,
  settingsOf,
} from '../domain/notification-settings.js'
import { notify } from '../job-names.js'
import { notificationMail } from '../mail/notification.js'
import { describe } from '../notifications/describe.js'
import { planDigest } from '../notifications/plan-digest.js'
import { findRecipient, mailLinks } from '../notifications/recipient.js'
import { findSettings } from '../queries/notification-settings.js'
import {
  countMailed,
  deferToDigest,
  deleteNotifications,
  listNew,
  markMailed,
} from '../queries/notifications.js'

type Payload = { username: string }

const batchMax = 100

/**
 * Applies the choices of a person to their new notifications: mails them, leaves them for the digest, or deletes them.
 * Those above the limit of mails in an hour are left for the digest.
 */
export const notifyJob: Job<Ctx, Payload> = defineJob<Ctx, Payload>({
  ...notify,
  timeoutMs: 60_000,
  async run(ctx, { username }, signal) {
    const rows = await listNew(ctx.db, username, batchMax)
    if (rows.length === 0) return undefined
    const recipient = await findRecipient(ctx, username, signal)
    const stored = await findSettings(ctx.db, username)
    const settings = settingsOf(stored, recipient?.mentionEmails ?? false)
    const byDelivery = { NONE: [], AT_ONCE: [], DIGEST: [] } as Record<Delivery, NotificationRow[]>
    for (const row of rows) byDelivery[recipient ? settings[row.kind] : 'NONE'].push(row)
    const atOnce = byDelivery.AT_ONCE.slice(0, await roomFor(ctx, username, byDelivery.AT_ONCE))
    const digest = [...byDelivery.DIGEST, ...byDelivery.AT_ONCE.slice(atOnce.length)]
    const mails = recipient ? await mailsAbout(ctx, recipient, atOnce, signal) : new Map()
    const obsolete = [...byDelivery.NONE, ...atOnce.filter(({ id }) => !mails.has(id))]
    if (mails.size > 0 || digest.length > 0) {
      await ctx.transact(async (tx) => {
        if (obsolete.length > 0) await deleteNotifications(tx, idsOf(obsolete))
        await sendOnce(ctx, tx, mails)
        await defer(ctx, tx, username, settings, digest)
      })
    } else await ctx.write((db) => deleteNotifications(db, idsOf(obsolete)))
    return rows.length === batchMax ? { rest: { username } } : undefined
  },
})

/** How many may still be mailed in this hour. */
async function roomFor({ db, cfg }: Ctx, username: string, rows: NotificationRow[]) {
  if (rows.length === 0) return 0
  return Math.max(0, cfg.mailsPerHourMax - (await countMailed(db, username)))
}

const idsOf = (rows: NotificationRow[]) => rows.map(({ id }) => id)

/** The mails by the id of their notification. */
async function mailsAbout(
  ctx: Ctx,
  recipient: Recipient,
  rows: NotificationRow[],
  signal: AbortSignal,
): Promise<Map<string, Mail>> {
  if (rows.length === 0) return new Map()
  const { email, mailLanguage: language } = recipient
  const username = recipient.username.toLowerCase()
  const all = await describe(ctx, recipient, rows, signal)
  const frame = { site: await ctx.readSite(), language }
  return new Map(
    all.map(({ id, ...notice }) => {
      const links = mailLinks(ctx, { username, from: notice.kind })
      const { unsubscribeUrl } = links
      const content = notificationMail(frame, notice, links)
      return [id, { ...content, to: { address: email }, unsubscribeUrl }]
    }),
  )
}

async function sendOnce(ctx: Ctx, tx: Tx, mails: Map<string, Mail>) {
  if (mails.size === 0) return
  const marked = await markMailed(tx, [...mails.keys()])
  for (const [id, mail] of mails) if (marked.has(id)) await ctx.sendMail(tx, mail)
}

async function defer(
  ctx: Ctx,
  tx: Tx,
  username: string,
  settings: NotificationSettings,
  rows: NotificationRow[],
) {
  if (rows.length === 0) return
  await deferToDigest(tx, idsOf(rows))
  await planDigest(ctx, tx, username, settings)
}

import type { CallOptions } from '@connectrpc/connect'
import { defineJob } from '@figbase/kit/jobs'
import type { MailContent } from '@figbase/kit/mail'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { CommentRow, TargetKind } from '../db/schema.js'
import { nodeTypeOf } from '../domain/target.js'
import { mailMention } from '../job-names.js'
import { mentionMail } from '../mail/mention.js'
import { findComment } from '../queries/comments.js'
import { markMailed } from '../queries/mentions.js'

const timeoutMs = 15_000

/** Mails a user whom a comment mentions, if they want such mails and may currently view the target. */
export const mailMentionJob = defineJob<Ctx, { commentId: string; username: string }>({
  ...mailMention,
  timeoutMs: 60_000,
  async run(ctx, { commentId, username }, signal) {
    const comment = await findComment(ctx.db, commentId)
    if (!comment || comment.is_deleted || comment.author.toLowerCase() === username) return
    const limits = { timeoutMs, signal }
    const bySystem = { ...actAsSystem(), ...limits }
    const { recipients } = await ctx.accounts.listRecipients({ usernames: [username] }, bySystem)
    const [recipient] = recipients
    if (!recipient || !(await isViewer(ctx, comment, recipient.username, bySystem))) return
    const asRecipient = { ...actAs(user(recipient.username)), ...limits }
    const language = recipient.mailLanguage
    const content = await contentOf(ctx, comment, language, bySystem, asRecipient)
    await ctx.transact(async (tx) => {
      if (!(await markMailed(tx, commentId, username))) return
      await ctx.sendMail(tx, { ...content, to: { address: recipient.email } })
    })
  },
})

/** Whether the user has access as a member or by a share. A link does not count: it would let authors mail anybody. */
async function isViewer(
  { catalog }: Ctx,
  { target_id }: CommentRow,
  username: string,
  call: CallOptions,
) {
  const request = { nodeIds: [target_id], usernames: [username] }
  const { nodes } = await catalog.listViewers(request, call)
  return nodes.some(({ usernames }) => usernames.includes(username))
}

/** For each kind of target: the path of its page, its noun, and whether it has a name or uses its parent's. */
const kinds = {
  figure: { path: 'figure', target: 'figure', isNamed: true },
  figure_revision: { path: 'r', target: 'revision', isNamed: false },
  asset: { path: 'asset', target: 'asset', isNamed: true },
  asset_revision: { path: 'asset_revision', target: 'revision', isNamed: false },
} as const satisfies Record<TargetKind, unknown>

async function contentOf(
  ctx: Ctx,
  { id: commentId, target_id: id, target_type, author, content }: CommentRow,
  language: string,
  bySystem: CallOptions,
  asRecipient: CallOptions,
): Promise<MailContent> {
  const { path, target, isNamed } = kinds[target_type]
  const request = { id, type: nodeTypeOf(target_type), withParent: !isNamed }
  const { node, parent } = await ctx.catalog.getNode(request, asRecipient)
  const authorName = await nameOf(ctx, author, bySystem)
  return mentionMail(
    { site: await ctx.readSite(), language },
    {
      author: authorName,
      target,
      targetName: (isNamed ? node : parent)?.name ?? '',
      content,
      url: `${addressOf(ctx)}/${path}/${id}#comment-${commentId}`,
    },
  )
}

/** The full name of a user, or the username. */
async function nameOf({ identity }: Ctx, username: string, call: CallOptions) {
  const { users } = await identity.listUsers({ usernames: [username] }, call)
  const name = `${users[0]?.firstName ?? ''} ${users[0]?.lastName ?? ''}`.trim()
  return name || username
}

const addressOf = ({ cfg }: Ctx) => cfg.publicUrl || `http://localhost:${cfg.port}`

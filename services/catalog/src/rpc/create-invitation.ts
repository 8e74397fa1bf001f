import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { isValidTime, toIso, toTimestamp } from '@figbase/kit/db'
import { invalid, validateAll } from '@figbase/kit/errors'
import { isEmailAddress, type MailFrame } from '@figbase/kit/mail'
import { isLanguageTag } from '@figbase/kit/messages'
import { forward, requireUser } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { hashOf, newToken } from '../domain/invitation-token.js'
import { roleToGrant } from '../domain/roles.js'
import { subjectFor, subjectOf } from '../domain/subject.js'
import { tooManyInvitations } from '../errors.js'
import { limitedMail } from '../limits.js'
import { invitationMail } from '../mail/invitation.js'
import { publicAddress } from '../public-address.js'
import { countInvitations, type Invitation, insertInvitation } from '../queries/invitations.js'
import { findNode } from '../queries/nodes.js'
import { toInvitation } from '../wire.js'
import { authorizeTarget, withManagedContainer } from './authorize-container.js'

type Impl = ServiceImpl<typeof CatalogService>

export function createInvitation(ctx: Ctx): Impl['createInvitation'] {
  return async (req, call) => {
    const by = requireUser(call)
    const subject = subjectOf(call)
    const target = await authorizeTarget(ctx.db, req.type, req.targetId, subject)
    const { id: nodeId, type } = target
    const { role, email, expiresOn, language } = validateAll({
      email: () => checkedEmail(req.email),
      role: () => roleToGrant(type, req.role),
      expiresOn: () => (req.expiresOn ? checkedTime(req.expiresOn) : null),
      language: () => checkedLanguage(req.language),
    })
    const [inviter, site] = await Promise.all([inviterOf(ctx, by, call), ctx.readSite()])
    const token = newToken()
    const invitation = {
      id: ctx.newId(),
      node_id: nodeId,
      type,
      email,
      role,
      by,
      tokenHash: hashOf(token),
      expiresOn,
      lifetimeMs: ctx.cfg.invitationLifetimeMs,
      lifetimeMaxMs: ctx.cfg.invitationLifetimeMaxMs,
    }
    const insert = async (tx: Tx) => {
      if ((await countInvitations(tx, nodeId)) >= ctx.cfg.invitationsMax) {
        throw tooManyInvitations(type, ctx.cfg.invitationsMax)
      }
      const row = await insertInvitation(tx, invitation)
      if (!row) throw invalid('expiry', 'must be a time in the future')
      const frame = { site, language: language || inviter.language }
      await mailInvitation(ctx, tx, row, frame, { inviter: inviter.name, token })
      return row
    }
    const row = await limitedMail(ctx.limits, by, email, () =>
      withManagedContainer(ctx, target, subject, insert),
    )
    return { invitation: toInvitation(row), token }
  }
}

type MailValues = { inviter: string; token: string }

async function mailInvitation(
  ctx: Ctx,
  tx: Tx,
  row: Invitation,
  frame: MailFrame,
  { inviter, token }: MailValues,
) {
  const { node_id, type, email, expires_on } = row
  const target = type === 'organization' ? type : 'workspace'
  const node = await findNode(tx, node_id, subjectFor(row.invited_by))
  const content = invitationMail(frame, {
    inviter,
    target,
    targetName: node?.name ?? '',
    url: `${publicAddress(ctx)}/invitations/${target}/${token}`,
    expiresOn: new Date(toIso(toTimestamp(expires_on))),
  })
  await ctx.sendMail(tx, { ...content, to: { address: email } })
}

function checkedEmail(text: string) {
  const email = checkedText('email', text, { charsMin: 1, charsMax: 254 })
  if (!isEmailAddress(email)) throw invalid('email', 'is not an e-mail address')
  return email
}

function checkedTime(time: Timestamp) {
  if (!isValidTime(time)) throw invalid('expiry', 'must be a time in the future')
  return toIso(time)
}

function checkedLanguage(text: string) {
  if (text && !isLanguageTag(text)) {
    throw invalid('language', 'must be a language tag, such as "de" or "de-CH"')
  }
  return text
}

/** The full name of the caller, or the username, and the language of mails to them. */
async function inviterOf({ identity }: Ctx, username: string, call: HandlerContext) {
  const { user } = await identity.getUser({ username }, forward(call))
  const name = `${user?.firstName ?? ''} ${user?.lastName ?? ''}`.trim()
  return { name: name || username, language: user?.private?.mailLanguage ?? '' }
}

import { type Html, html } from '@figbase/kit/text'
import { type Invitation, type Member, Role } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import type { MembershipResource } from '../../routes/member/resources.js'
import { grantableTypes, membershipTypeOf, roleOf } from '../../shapes/member.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type FormValues, formToken } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { pagePath } from '../kinds.js'
import { nextLink } from '../next-link.js'
import { may, type Placed } from '../placed.js'
import { roleKey } from '../roles.js'
import { nameHtml } from '../text.js'

export const membersQuery = {
  query: z.object({ cursor: z.string().max(1000).optional(), done: z.string().optional() }),
}

/** What was typed into the forms. */
export type Forms = { add?: FormValues; invite?: FormValues; other?: FormValues }

type Read = {
  placed: Placed
  members: Member[]
  nextPageToken: string
  invitations: Invitation[]
}

const doneMessages: Record<string, MessageKey> = {
  added: 'members.added',
  changed: 'members.changed',
  removed: 'members.removed',
  invited: 'members.invited',
  cancelled: 'members.cancelled',
}

export function membersContent(
  input: Input,
  resource: MembershipResource,
  { placed, members, nextPageToken, invitations }: Read,
  { problem, typed }: { problem: Problem; typed: Forms },
): Html {
  const texts = textsOf(input)
  const { t } = texts
  const isManaged = may(placed, 'MANAGE')
  const path = `${pagePath(placed.node)}members/`
  const done = doneMessages[(input.query as { done?: string }).done ?? '']
  const manage = isManaged ? manageForms(input, resource, path, invitations, typed) : html``
  return html`${pathTo(texts, placed)}<h1>${t('members.title')}</h1>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}
<ul class="entries">${members.map((one) => entry(input, resource, path, one, isManaged))}</ul>${nextLink(input, nextPageToken)}
${manage}`
}

function entry(
  input: Input,
  resource: MembershipResource,
  path: string,
  { username, role }: Member,
  isManaged: boolean,
): Html {
  const { t } = textsOf(input)
  const isSelf = username === input.username
  const name = html`<strong>${nameHtml(username)}</strong>`
  const isFixed = role === Role.OWNER
  const change =
    isManaged && !isFixed
      ? html`<form class="row" method="post" action="${path}change/">${formToken(input)}<input type="hidden" name="username" value="${username}">
${roleSelect(input, resource, membershipTypeOf(role) ?? '', t('members.roleOf', { name: username }))}<button class="secondary">${t('members.change')}</button></form>`
      : html`<span class="quiet">${t(roleKey(role))}</span>`
  const label = isSelf
    ? html`${t('members.leave')}`
    : html`<span aria-hidden="true">${t('members.remove')}</span><span class="hidden">${t('members.removeOne', { name: username })}</span>`
  const remove =
    (isManaged || isSelf) && !isFixed
      ? html`<a href="${path}remove/${encodeURIComponent(username)}/">${label}</a>`
      : html``
  return html`<li><div>${name} ${change}</div>${remove}</li>`
}

function roleSelect(
  input: Input,
  { segment }: MembershipResource,
  chosen: string,
  label: Html,
): Html {
  const { t } = textsOf(input)
  const options = grantableTypes[segment].map(
    (one) =>
      html`<option value="${one}"${one === chosen ? html` selected=""` : html``}>${t(roleKey(roleOf(one)))}</option>`,
  )
  return html`<select name="role" aria-label="${label}">${options}</select>`
}

function manageForms(
  input: Input,
  resource: MembershipResource,
  path: string,
  invitations: Invitation[],
  { add = {}, invite = {} }: Forms,
): Html {
  const { t, date } = textsOf(input)
  const role = (typed: FormValues) =>
    html`<label>${t('members.role')} ${roleSelect(input, resource, typed.role ?? grantableTypes[resource.segment].at(-1) ?? '', t('members.role'))}</label>`
  const open = invitations.map(
    ({ id, email, role, expiresOn }) =>
      html`<li><div><strong>${nameHtml(email)}</strong> <span class="quiet">${t('members.openNote', { role: t(roleKey(role)), date: date(expiresOn) })}</span></div>
<form class="inline" method="post" action="${path}cancel/">${formToken(input)}<button class="secondary" name="id" value="${id}" aria-label="${t('members.cancelOne', { email })}">${t('members.cancel')}</button></form></li>`,
  )
  return html`<h2>${t('members.add')}</h2>
<form method="post" action="${path}">${formToken(input)}
<label>${t('signIn.username')} <input name="username" value="${add.username ?? ''}" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>
${role(add)}<button>${t('members.addButton')}</button></form>
<h2>${t('members.invite')}</h2>
<p>${t('members.inviteNote')}</p>
<form method="post" action="${path}invite/">${formToken(input)}
<label>${t('person.email')} <input type="email" name="email" value="${invite.email ?? ''}" autocomplete="off" required></label>
${role(invite)}<button>${t('members.inviteButton')}</button></form>
${open.length > 0 ? html`<h2>${t('members.open')}</h2><ul class="entries">${open}</ul>` : html``}`
}

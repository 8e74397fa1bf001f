import { type Html, html } from '@figbase/kit/text'
import { type Account, AccountFilter } from '@figbase/proto/identity/accounts'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { doneOf } from '../account/layout.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { pageNotFound } from '../ids.js'
import { entryList } from '../lists.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { accountsPath, adminPage, passwordInput, withPassword } from './layout.js'

const query = z.object({
  q: z.string().max(254).optional(),
  cursor: z.string().max(1000).optional(),
})
const doneQuery = { query: z.object({ done: z.string().optional() }) }

/** The accounts, and what administrators change on one. */
export const accountPages: Route[] = [
  userPage(accountsPath, listPage, { query }),
  userPage(`${accountsPath}:username/`, (input) => oneAccountPage(input), doneQuery),
  userForm(`${accountsPath}:username/`, change),
]

async function listPage(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { q = '', cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const request = { query: q.trim(), pageSize: Math.min(cfg.pageItemsMax, 100), pageToken }
  const { accounts, nextPageToken } = await services.accounts.listAccounts(request, call)
  const entries = accounts.map((account) => entry(texts, account))
  return adminPage(input, {
    path: accountsPath,
    title: t('admin.accounts'),
    content: html`<form class="search" method="get" role="search">
<label>${t('admin.find')} <input type="search" name="q" value="${q}" maxlength="254"></label>
<button>${t('search.submit')}</button></form>${entryList(entries, t('admin.noAccounts'))}${nextLink(input, nextPageToken, q ? { q } : {})}`,
  })
}

function entry(texts: Texts, account: Account): Html {
  const { username, email } = account
  return html`<li><div><a href="${pathOf(username)}">${nameHtml(username)}</a> ${marksOf(texts, account)}
<span class="quiet">${nameHtml(nameOf(account))} · ${email}</span></div></li>`
}

const pathOf = (username: string) => `${accountsPath}${encodeURIComponent(username)}/`
const nameOf = ({ firstName, lastName }: Account) => `${firstName} ${lastName}`.trim()

const marksOf = ({ t }: Texts, { isActive, isStaff }: Account): Html =>
  html`${isStaff ? html`<span class="mark">${t('admin.staff')}</span>` : html``}
${isActive ? html`` : html`<span class="mark">${t('admin.inactive')}</span>`}`

async function oneAccountPage(input: Input, problem?: Problem): Promise<Page> {
  const texts = textsOf(input)
  const { t, date, dateTime } = texts
  const account = await readAccount(input)
  const { username, email, dateJoined, lastSignIn, isActive, isStaff } = account
  const known = { name: nameOf(account), email, date: date(dateJoined) }
  const used = lastSignIn ? t('admin.lastSignIn', { time: dateTime(lastSignIn) }) : html``
  return adminPage(input, {
    path: '',
    title: nameHtml(username),
    problem,
    done: doneOf(input, { changed: 'admin.changed' }),
    content: html`<p>${marksOf(texts, account)}</p><p>${t('admin.known', known)} ${used}</p>
<form method="post" action="${pathOf(username)}">${formToken(input)}${passwordInput(input)}
<div class="buttons">
<button name="action" value="${isActive ? 'deactivate' : 'activate'}" class="${isActive ? 'dangerous' : 'secondary'}">${t(isActive ? 'admin.deactivate' : 'admin.activate')}</button>
<button name="action" value="${isStaff ? 'member' : 'staff'}" class="secondary">${t(isStaff ? 'admin.removeStaff' : 'admin.makeStaff')}</button>
<a href="${accountsPath}">${t('form.cancel')}</a></div></form>`,
  })
}

/** The account in the path; throws a 404 if there is none. */
async function readAccount({ params: { username = '' }, services, call }: Input) {
  const filter = AccountFilter.UNSPECIFIED
  const request = { query: username, filter, pageSize: 100 }
  const { accounts } = await services.accounts.listAccounts(request, call)
  const found = accounts.find((account) => account.username === username)
  if (!found) throw pageNotFound()
  return found
}

/** Checks the password of the administrator first. */
async function change(input: Input<FormValues>): Promise<FormResult> {
  const { params, body, services, call } = input
  const { username = '' } = params
  const { accounts } = services
  const actions: Record<string, () => Promise<unknown>> = {
    activate: () => accounts.setUserActive({ username, isActive: true }, call),
    deactivate: () => accounts.setUserActive({ username, isActive: false }, call),
    staff: () => accounts.setUserStaff({ username, isStaff: true }, call),
    member: () => accounts.setUserStaff({ username, isStaff: false }, call),
  }
  const action = Object.hasOwn(actions, body.action ?? '') ? actions[body.action ?? ''] : undefined
  if (!action) throw pageNotFound()
  return resultOf(withPassword(input, action), `${pathOf(username)}?done=changed`, (problem) =>
    oneAccountPage({ ...input, query: {} }, problem),
  )
}

import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { type Html, html } from '@figbase/kit/text'
import type { Input, Route } from '../../endpoint.js'
import { cookie } from '../../http/cookies.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { userForm } from '../form.js'
import { type Problem, problemNote, problemOf } from '../form-problem.js'
import { pagePath } from '../kinds.js'
import { rowList } from '../lists.js'
import { ownUsername } from '../own-username.js'
import { fixedPage, type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { accountPath } from './layout.js'

export const deletePath = `${accountPath}delete/`
const deletedPath = `${accountPath}deleted/`

const ask = userPage(deletePath, (input) => askPage(input))

/** Users of an identity provider may have no password: theirs is not required. */
async function askPage(input: Input, note: Html = html``): Promise<Page> {
  const { username, services, call } = input
  const { t } = textsOf(input)
  const user = required((await services.identity.getUser({ username }, call)).user)
  const isRequired = user.usingAuth0 ? html`` : html` required=""`
  return confirmPage(input, {
    title: t('accountData.delete'),
    text: t('accountData.deleteQuestion', { name: nameHtml(username) }),
    action: deletePath,
    inputs: html`${note}${ownUsername(input)}
<label>${t('signIn.password')} <input type="password" name="password" autocomplete="current-password"${isRequired}></label>`,
    button: t('accountData.delete'),
    back: `${accountPath}data/`,
  })
}

const remove = userForm(deletePath, async (input) => {
  const { username, body, services, call, cfg } = input
  let kept: string[] = []
  const request = { username, password: body.password ?? '' }
  const work = services.accounts.deleteUser(request, call).catch((error: unknown) => {
    kept = keptIn(error)
    throw error
  })
  const problem = await problemOf(work)
  if (!problem) return { to: deletedPath, cookies: [cookie('session', cfg)] }
  const note = kept.length > 0 ? await keptNote(input, kept) : noteOf(input, problem)
  return { status: problem.status, page: await askPage(input, note) }
})

const noteOf = (input: Input, problem: Problem) => problemNote(textsOf(input).t, problem)

/** The ids of the workspaces and organizations that would have no administrator. */
function keptIn(error: unknown): string[] {
  const detail = error instanceof ConnectError ? detailOf(error) : undefined
  return detail?.error === 'last_owner' ? detail.fields.map(({ field }) => field) : []
}

async function keptNote(input: Input, ids: string[]): Promise<Html> {
  const { nodes } = await input.services.catalog.resolveNodes({ ids }, input.call)
  const items = nodes.map((node) => ({
    href: pagePath(node),
    caption: nameHtml(node.name),
    note: html``,
  }))
  return html`<div class="problem" role="alert"><p>${textsOf(input).t('accountData.kept')}</p>${rowList(items)}</div>`
}

const deleted = fixedPage(deletedPath, ({ t }) => ({
  title: t('accountData.deleted'),
  content: html`<h1>${t('accountData.deleted')}</h1>
<p>${t('accountData.deletedNote')}</p>`,
}))

export const deletePages: Route[] = [ask, remove, deleted]

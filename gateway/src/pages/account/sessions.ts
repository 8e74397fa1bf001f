import { type Html, html } from '@figbase/kit/text'
import { type SignedIn, SignedInKind } from '@figbase/proto/identity/accounts'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { formToken, userForm } from '../form.js'
import { moreThan } from '../lists.js'
import { userPage } from '../page.js'
import { signInPath } from '../sign-in/next.js'
import { accountPage, accountPath, doneOf, doneQuery } from './layout.js'

const path = `${accountPath}sessions/`
const endAllPath = `${path}end/`

const show = userPage(
  path,
  async (input) => {
    const { username, services, call, cfg } = input
    const texts = textsOf(input)
    const { sessions } = await services.accounts.listSessions({ username }, call)
    const shown = sessions.slice(0, cfg.pageItemsMax)
    const content = html`<p>${texts.t('sessions.what')}</p>
<ul class="entries">${shown.map((session) => entry(input, session))}</ul>${moreThan(texts, shown.length, sessions.length)}
<p><a class="button dangerous" href="${endAllPath}">${texts.t('sessions.endAll')}</a></p>`
    const done = doneOf(input, { ended: 'sessions.ended' })
    return accountPage(input, { path, done, content })
  },
  doneQuery,
)

function entry(input: Input, session: SignedIn): Html {
  const { t, dateTime } = textsOf(input)
  const { kind, userAgent, address } = session
  const used = session.lastUsedOn ?? session.createdOn
  return html`<li><div><strong>${t(kind === SignedInKind.BROWSER ? 'sessions.browser' : 'sessions.program')}</strong>
<span class="quiet">${t('sessions.begun', { time: dateTime(session.createdOn) })}</span>
<span class="quiet">${t('sessions.used', { time: dateTime(used) })}</span>
${address ? html`<code>${address}</code>` : html``} <span class="quiet" dir="ltr">${userAgent}</span></div>
<form method="post" action="${path}${session.id}/end/">${formToken(input)}<button class="secondary">${t('sessions.end')}</button></form></li>`
}

const endOne = userForm(`${path}:id/end/`, async ({ params, username, services, call }) => {
  await services.accounts.endSessions({ username, id: params.id ?? '' }, call)
  return { to: `${path}?done=ended` }
})

const askEndAll = userPage(endAllPath, async (input) => {
  const { t } = textsOf(input)
  return confirmPage(input, {
    title: t('sessions.endAll'),
    text: t('sessions.endAllQuestion'),
    action: endAllPath,
    button: t('sessions.endAll'),
    back: path,
  })
})

const endAll = userForm(endAllPath, async ({ username, services, call }) => {
  await services.accounts.endSessions({ username }, call)
  return { to: signInPath }
})

export const sessionPages: Route[] = [show, endOne, askEndAll, endAll]

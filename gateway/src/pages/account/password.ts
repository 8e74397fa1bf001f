import { html } from '@figbase/kit/text'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { formToken, userForm } from '../form.js'
import { type Problem, problemOf } from '../form-problem.js'
import { ownUsername } from '../own-username.js'
import { type Page, userPage } from '../page.js'
import { passwordCharsMin } from '../password-reset.js'
import { newSession } from '../sign-in/session.js'
import { accountPage, accountPath, doneOf, doneQuery } from './layout.js'

const path = `${accountPath}password/`

const show = userPage(path, async (input) => passwordPage(input), doneQuery)

function passwordPage(input: Input, problem?: Problem): Page {
  const { t } = textsOf(input)
  const content = html`<p>${t('passwordReset.rules', { charsMin: passwordCharsMin })}</p>
<form method="post" action="${path}">${formToken(input)}
${ownUsername(input)}
<label>${t('passwordReset.newPassword')} <input type="password" name="password" autocomplete="new-password" minlength="${String(passwordCharsMin)}" required></label>
<button>${t('passwordReset.change')}</button></form>`
  const done = doneOf(input, { changed: 'passwordReset.done' })
  return accountPage(input, { path, problem, done, content })
}

/** A new password ends all sessions; this browser gets a new one. */
const change = userForm(path, async (input) => {
  const { username, body, services, call } = input
  const { password = '' } = body
  const problem = await problemOf(services.accounts.updateUser({ username, password }, call))
  if (problem) return { status: problem.status, page: passwordPage(input, problem) }
  const cookies = [await newSession(input, { username, password })]
  return { to: `${path}?done=changed`, cookies }
})

export const passwordPages: Route[] = [show, change]

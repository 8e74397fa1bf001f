import { type Html, html } from '@figbase/kit/text'
import type { User } from '@figbase/proto/identity'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { type FormValues, formToken, userFileForm, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { accountPage, accountPath, doneOf, doneQuery } from './layout.js'
import { mailLanguageChoice } from './mail-language.js'

const show = userPage(accountPath, (input) => profilePage(input), doneQuery)

async function profilePage(input: Input, problem?: Problem, typed?: FormValues): Promise<Page> {
  const { username, services, call } = input
  const user = required((await services.identity.getUser({ username }, call)).user)
  const done = doneOf(input, {
    saved: 'account.saved',
    mail: 'account.mailSent',
    avatar: 'account.avatarSaved',
  })
  const admin = user.private?.isStaff
    ? html`<p><a href="/admin/">${textsOf(input).t('admin.title')}</a></p>`
    : html``
  const content = html`${admin}${profileForm(input, user, typed)}${addressState(input, user)}${avatarForms(input, user)}`
  return accountPage(input, { path: accountPath, problem, done, content })
}

function profileForm(input: Input, user: User, typed?: FormValues): Html {
  const { t } = textsOf(input)
  const { email = '', mailLanguage = '' } = user.private ?? {}
  const values = typed ?? {
    first_name: user.firstName,
    last_name: user.lastName,
    email,
    mail_language: mailLanguage,
  }
  return html`<p class="quiet">${t('account.signedInAs', { name: nameHtml(user.username) })}</p>
<form method="post" action="${accountPath}">${formToken(input)}
<label>${t('person.firstName')} <input name="first_name" value="${values.first_name ?? ''}" autocomplete="given-name"></label>
<label>${t('person.lastName')} <input name="last_name" value="${values.last_name ?? ''}" autocomplete="family-name"></label>
<label>${t('person.email')} <input type="email" name="email" value="${values.email ?? ''}" autocomplete="email" required></label>
${mailLanguageChoice(input, values.mail_language ?? '')}
<button>${t('edit.save')}</button></form>`
}

/** Whether the stored address is confirmed, with a button that sends a link. */
function addressState(input: Input, { private: own }: User): Html {
  const { t } = textsOf(input)
  const email = nameHtml(own?.email ?? '')
  if (own?.emailConfirmed)
    return html`<p class="quiet">${t('account.emailConfirmed', { email })}</p>`
  return html`<h2>${t('account.emailOpen')}</h2>
<p>${t('account.emailOpenNote', { email })}</p>
<form method="post" action="${accountPath}email/">${formToken(input)}<button class="secondary">${t('account.sendMail')}</button></form>`
}

function avatarForms(input: Input, { avatar }: User): Html {
  const { t } = textsOf(input)
  const picture = avatar
    ? html`<img class="avatar" src="data:image/png;base64,${avatar}" alt="${t('account.avatarNow')}">`
    : html``
  const remove = avatar
    ? html`<form method="post" action="${accountPath}avatar/remove/">${formToken(input)}<button class="secondary">${t('account.avatarRemove')}</button></form>`
    : html``
  return html`<h2>${t('account.avatar')}</h2>${picture}
<form method="post" action="${accountPath}avatar/" enctype="multipart/form-data">${formToken(input)}
<label>${t('account.avatarFile')} <input type="file" name="file" accept="image/png" required></label>
<button>${t('account.avatarUpload')}</button></form>${remove}`
}

const save = userForm(accountPath, async (input) => {
  const { username, body, services, call } = input
  const request = {
    username,
    email: body.email ?? '',
    firstName: body.first_name ?? '',
    lastName: body.last_name ?? '',
    ...(body.mail_language && {
      profileJson: JSON.stringify({ mail_language: body.mail_language }),
    }),
  }
  return resultOf(
    services.accounts.updateUser(request, call),
    `${accountPath}?done=saved`,
    (problem) => profilePage(input, problem, body),
  )
})

const sendMail = userForm(`${accountPath}email/`, async (input) => {
  const { username, services, call } = input
  return resultOf(
    services.accounts.requestEmailVerification({ username }, call),
    `${accountPath}?done=mail`,
    (problem) => profilePage(input, problem),
  )
})

const setAvatar = (input: Input, avatar: Buffer) => {
  const { username, services, call } = input
  return resultOf(
    services.accounts.updateUser({ username, avatar }, call),
    `${accountPath}?done=avatar`,
    (problem) => profilePage(input, problem),
  )
}

const uploadAvatar = userFileForm(
  `${accountPath}avatar/`,
  (cfg) => cfg.memberBytesMax,
  async (input, files) => {
    const [file] = files.file ?? []
    if (file) return setAvatar(input, file.bytes)
    const problem = { status: 400, error: '', detail: 'avatar: is required' }
    return { status: 400, page: await profilePage(input, problem) }
  },
)

const removeAvatar = userForm(`${accountPath}avatar/remove/`, (input) =>
  setAvatar(input, Buffer.alloc(0)),
)

export const profilePages: Route[] = [show, save, sendMail, uploadAvatar, removeAvatar]

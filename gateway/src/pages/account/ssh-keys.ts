import { type Html, html } from '@figbase/kit/text'
import type { SshKey } from '@figbase/proto/identity/ssh-keys'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { copyable } from '../copyable.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { entryList } from '../lists.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { accountPage, accountPath, doneOf, doneQuery } from './layout.js'

const path = `${accountPath}ssh-keys/`

const show = userPage(path, (input) => keysPage(input), doneQuery)

async function keysPage(input: Input, problem?: Problem, typed?: FormValues): Promise<Page> {
  const { t } = textsOf(input)
  const { keys } = await input.services.sshKeys.listSshKeys({}, input.call)
  const entries = keys.map((key) => entry(input, key))
  const content = html`<p>${t('sshKeys.what')}</p>${entryList(entries, t('sshKeys.none'))}
<h2>${t('sshKeys.new')}</h2>${addForm(input, typed)}`
  const done = doneOf(input, {
    added: 'sshKeys.added',
    deleted: 'sshKeys.deleted',
    default: 'sshKeys.defaultChanged',
  })
  return accountPage(input, { path, problem, done, content })
}

function entry(input: Input, key: SshKey): Html {
  const texts = textsOf(input)
  const { t, date } = texts
  const name = nameHtml(key.name)
  const state = key.isDefault
    ? html`<span class="mark">${t('sshKeys.default')}</span>`
    : html`<form method="post" action="${path}${key.id}/default/">${formToken(input)}<button class="secondary">${t('sshKeys.makeDefault')}</button></form>`
  return html`<li><div><strong>${name}</strong> ${state}
<span class="quiet">${t('sshKeys.addedOn', { date: date(key.createdOn) })}</span> <code>${key.fingerprint}</code>
<details><summary>${t('sshKeys.public')}</summary>${copyable(texts, t('sshKeys.publicOf', { name: key.name }), key.publicKey)}</details></div>
<a href="${path}${key.id}/delete/" aria-label="${t('sshKeys.deleteOne', { name: key.name })}">${t('action.delete')}</a></li>`
}

function addForm(input: Input, { name = '', is_default }: FormValues = {}): Html {
  const { t } = textsOf(input)
  return html`<form method="post" action="${path}">${formToken(input)}
<label>${t('sshKeys.name')} <input name="name" value="${name}" autocomplete="off" required></label>
<label>${t('sshKeys.private')} <textarea name="private_key" rows="6" autocomplete="off" spellcheck="false" required></textarea></label>
<label>${t('sshKeys.passphrase')} <input type="password" name="passphrase" autocomplete="off"></label>
<label class="check"><input type="checkbox" name="is_default"${is_default ? html` checked=""` : html``}> ${t('sshKeys.asDefault')}</label>
<button>${t('sshKeys.add')}</button></form>`
}

const add = userForm(path, (input) => {
  const { body, services, call } = input
  const { name = '', private_key = '', passphrase = '', is_default } = body
  // Forms have CRLF, and OpenSSH reads only LF.
  const privateKey = `${private_key.replaceAll('\r\n', '\n').trim()}\n`
  const request = { name, privateKey, passphrase, isDefault: is_default !== undefined }
  return resultOf(services.sshKeys.createSshKey(request, call), `${path}?done=added`, (problem) =>
    keysPage(input, problem, body),
  )
})

const makeDefault = userForm(`${path}:id/default/`, async ({ params, services, call }) => {
  await services.sshKeys.updateSshKey({ id: params.id ?? '', isDefault: true }, call)
  return { to: `${path}?done=default` }
})

const askDelete = userPage(`${path}:id/delete/`, async (input) => {
  const { params, services, call } = input
  const { t } = textsOf(input)
  const key = required((await services.sshKeys.getSshKey({ id: params.id ?? '' }, call)).key)
  return confirmPage(input, {
    title: t('sshKeys.deleteTitle'),
    text: t('sshKeys.deleteQuestion', { name: nameHtml(key.name) }),
    action: `${path}${key.id}/delete/`,
    button: t('action.delete'),
    back: path,
  })
})

const remove = userForm(`${path}:id/delete/`, async ({ params, services, call }) => {
  await services.sshKeys.deleteSshKey({ id: params.id ?? '' }, call)
  return { to: `${path}?done=deleted` }
})

export const sshKeyPages: Route[] = [show, add, makeDefault, askDelete, remove]

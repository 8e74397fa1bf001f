import { type Html, html } from '@figbase/kit/text'
import type { Node } from '@figbase/proto/catalog'
import type { ApiKey } from '@figbase/proto/identity'
import type { Input } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { accessMember, accessName } from '../../shapes/api-key.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { copyable } from '../copyable.js'
import { formToken } from '../form.js'
import { entryList } from '../lists.js'
import { nameHtml } from '../text.js'
import { accountPath } from './layout.js'

export const keysPath = `${accountPath}api-keys/`

/** What was typed into the form. */
export type KeyValues = Record<string, string>

const accesses: Record<'read' | 'publish' | 'full', MessageKey> = {
  read: 'apiKeys.read',
  publish: 'apiKeys.publish',
  full: 'apiKeys.full',
}

/** The keys, and the form for a new one. */
export function keysContent(
  input: Input,
  keys: ApiKey[],
  workspaces: Node[],
  typed: KeyValues = {},
): Html {
  const { t } = textsOf(input)
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const entries = keys.map((key) => entry(input, key, names))
  return html`<p>${t('apiKeys.what', { guide: (text) => html`<a href="/docs/api-keys/">${text}</a>` })}</p>
${entryList(entries, t('apiKeys.none'))}
<h2>${t('apiKeys.new')}</h2>
${form(input, workspaces, typed)}`
}

function entry(input: Input, key: ApiKey, names: Map<string, string>): Html {
  const { t, date } = textsOf(input)
  const notes = [
    t(accesses[accessName(key.access)]),
    ...(key.workspaceId ? [workspaceNote(input, key.workspaceId, names)] : []),
    key.lastUsedOn ? t('apiKeys.lastUsed', { date: date(key.lastUsedOn) }) : t('apiKeys.neverUsed'),
    key.expiresOn ? t('apiKeys.expires', { date: date(key.expiresOn) }) : t('apiKeys.noExpiry'),
  ]
  return html`<li><div><strong>${nameHtml(key.name)}</strong>
${notes.map((note) => html`<span class="quiet">${note}</span> `)}</div>
<a href="${keysPath}${key.id}/delete/" aria-label="${t('apiKeys.deleteOne', { name: key.name })}">${t('action.delete')}</a></li>`
}

/** The name is unknown if the user is no longer a member. */
function workspaceNote(input: Input, id: string, names: Map<string, string>) {
  const { t } = textsOf(input)
  const name = names.get(id)
  return name === undefined
    ? t('apiKeys.onlyUnknown')
    : t('apiKeys.only', { name: html`<a href="/workspace/${id}">${nameHtml(name)}</a>` })
}

function form(input: Input, workspaces: Node[], typed: KeyValues): Html {
  const { t } = textsOf(input)
  const { name = '', access = 'publish', days = '', workspace = '' } = typed
  const option = (value: string, chosen: string, text: Html) =>
    html`<option value="${value}"${value === chosen ? html` selected=""` : html``}>${text}</option>`
  return html`<form method="post" action="${keysPath}">${formToken(input)}
<label>${t('apiKeys.name')} <input name="name" value="${name}" maxlength="200" autocomplete="off" required></label>
<label>${t('apiKeys.access')} <select name="access">${accessMember.options.map((one) =>
    option(one, access, t(accesses[one])),
  )}</select></label>
<label>${t('apiKeys.days')} <input type="number" name="days" value="${days}" min="1" max="3650"></label>
<label>${t('apiKeys.workspace')} <select name="workspace">${option('', workspace, t('apiKeys.all'))}${workspaces.map(
    (one) => option(one.id, workspace, html`${one.name}`),
  )}</select></label>
<button>${t('apiKeys.create')}</button></form>`
}

/** The token of a new key, and how to give it to the clients. */
export function newKeyContent(input: Input, { name }: ApiKey, token: string): Html {
  const texts = textsOf(input)
  const { t } = texts
  const url = siteOriginOf(input)
  const file = `{ "url": ${JSON.stringify(url)}, "api_key": ${JSON.stringify(token)} }`
  const link = (page: string) => (text: Html) => html`<a href="/docs/${page}/">${text}</a>`
  return html`<p class="notice" role="status">${t('apiKeys.created', { name: nameHtml(name) })}</p>
${copyable(texts, t('apiKeys.token'), token)}
<h2>${t('apiKeys.useClients')}</h2>
<p>${t('apiKeys.useClientsNote', { file: html`<code>~/.gofigr</code>`, guide: link('clients') })}</p>
${copyable(texts, t('apiKeys.file'), file)}
<h2>${t('apiKeys.useCommand')}</h2>
<p>${t('apiKeys.useCommandNote', { guide: link('command') })}</p>
${copyable(texts, t('apiKeys.command'), `echo '${token}' | figbase login --url ${url} --key -`)}
<p><a href="${keysPath}">${t('apiKeys.back')}</a></p>`
}

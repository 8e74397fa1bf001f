import { type Html, html } from '@figbase/kit/text'
import type { GitRepository } from '@figbase/proto/git'
import type { Input } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type FormValues, formToken } from '../form.js'

/** The times that the form offers; others are kept. */
const schedules: [string, MessageKey][] = [
  ['', 'git.never'],
  ['17 * * * *', 'git.hourly'],
  ['17 3 * * *', 'git.daily'],
  ['17 3 * * 1', 'git.weekly'],
]
const exampleUrl = 'https://example.org/lab/plots.git'

/** The settings of a submitted form. An empty token is none. */
export function settingsOf({
  url = '',
  branch = '',
  token = '',
  ssh_key = '',
  include = '',
  exclude = '',
  schedule = '',
}: FormValues) {
  return {
    url: url.trim(),
    branch: branch.trim(),
    token,
    sshKeyId: ssh_key,
    include: linesOf(include),
    exclude: linesOf(exclude),
    schedule,
  }
}

const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What the form shows of a repository. */
export const valuesOf = (repository: GitRepository): FormValues => ({
  url: repository.url,
  branch: repository.branch,
  ssh_key: repository.sshKeyId,
  include: repository.include.join('\n'),
  exclude: repository.exclude.join('\n'),
  schedule: repository.schedule,
})

type Options = { hasToken: boolean; buttons: Html }

/** The inputs, with buttons. */
export async function repositoryForm(
  input: Input,
  action: string,
  values: FormValues,
  { hasToken, buttons }: Options,
): Promise<Html> {
  const { t } = textsOf(input)
  const { url = '', branch = 'main', include = '', exclude = '', schedule = '' } = values
  const { keys } = await input.services.sshKeys.listSshKeys({}, input.call)
  const option = (value: string, label: Html | string, chosen: string) =>
    html`<option value="${value}"${value === chosen ? html` selected=""` : html``}>${label}</option>`
  const times = schedules.map(([value, label]) => option(value, t(label), schedule))
  const isOther = schedules.every(([value]) => value !== schedule)
  const sshKeys = keys.map(({ id, name }) => option(id, name, values.ssh_key ?? ''))
  return html`<form method="post" action="${action}">${formToken(input)}
<label>${t('git.url')} <input name="url" value="${url}" placeholder="${exampleUrl}" maxlength="1000" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>
<label>${t('git.branch')} <input name="branch" value="${branch}" maxlength="255" autocomplete="off" autocapitalize="none" spellcheck="false" required></label>
<label>${t('git.token')} <input type="password" name="token" maxlength="1000" autocomplete="off">
<span class="quiet">${t(hasToken ? 'git.tokenKept' : 'git.tokenNote')}</span></label>
<label>${t('git.sshKey')} <select name="ssh_key">${option('', t('git.noSshKey'), values.ssh_key ?? '')}${sshKeys}</select>
<span class="quiet">${t('git.sshKeyNote', { keys: (text) => html`<a href="/account/ssh-keys/">${text}</a>` })}</span></label>
<label>${t('git.include')} <textarea name="include" rows="2" autocomplete="off" spellcheck="false">${include}</textarea>
<span class="quiet">${t('git.includeNote', { example: html`<code>figures/*.png</code>` })}</span></label>
<label>${t('git.exclude')} <textarea name="exclude" rows="2" autocomplete="off" spellcheck="false">${exclude}</textarea></label>
<label>${t('git.schedule')} <select name="schedule">${times}${isOther ? option(schedule, schedule, schedule) : html``}</select></label>
${buttons}</form>`
}

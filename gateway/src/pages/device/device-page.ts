import { html } from '@figbase/kit/text'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { GetDeviceLoginResponse } from '@figbase/proto/identity/device-login'
import type { Input } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import type { Page } from '../page.js'
import { nameHtml } from '../text.js'

/** Asks for the code that the command shows. */
export const codePage = ({ t }: Texts, problem?: Problem, code = ''): Page => ({
  ...(problem && { status: problem.status }),
  title: t('device.title'),
  hasForm: true,
  content: html`<h1>${t('device.title')}</h1>
<p>${t('device.question')}</p>
${problemNote(t, problem)}
<form method="get">
<label>${t('device.code')} <input name="code" value="${code}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required></label>
<button>${t('device.continue')}</button>
</form>`,
})

/** Shows who asks for what. Whoever sends others a link with a code must not get access unnoticed. */
export function decisionPage(input: Input, code: string, login: GetDeviceLoginResponse): Page {
  const { t, dateTime } = textsOf(input)
  const { name, access, address, createdOn } = login
  const values = {
    name: nameHtml(name),
    username: nameHtml(input.username),
    time: dateTime(createdOn),
    address: html`<code>${address}</code>`,
  }
  return {
    title: t('device.decide'),
    hasForm: true,
    content: html`<h1>${t('device.decide')}</h1>
<p>${t('device.asks', values)}</p>
<p>${t(accesses[access])}</p>
<p class="notice">${t('device.warning', { code: html`<strong>${code}</strong>` })}</p>
<form method="post" action="/device/">
${formToken(input)}<input type="hidden" name="code" value="${code}">
<button name="decision" value="allow">${t('device.allow')}</button>
<button name="decision" value="refuse" class="secondary">${t('device.refuse')}</button>
</form>`,
  }
}

export const allowedPage = ({ t }: Texts): Page => ({
  title: t('device.allowed'),
  content: html`<h1>${t('device.allowed')}</h1>
<p>${t('device.allowedNote')}</p>`,
})

export const refusedPage = ({ t }: Texts): Page => ({
  title: t('device.refused'),
  content: html`<h1>${t('device.refused')}</h1>
<p>${t('device.refusedNote')}</p>`,
})

/** Without access, of an older replica, it means full. */
const accesses: Record<ApiKeyAccess, MessageKey> = {
  [ApiKeyAccess.UNSPECIFIED]: 'device.access.full',
  [ApiKeyAccess.READ]: 'device.access.read',
  [ApiKeyAccess.PUBLISH]: 'device.access.publish',
  [ApiKeyAccess.FULL]: 'device.access.full',
}

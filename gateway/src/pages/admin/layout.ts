import { denied } from '@figbase/kit/errors'
import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import type { FormValues } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import { ownUsername } from '../own-username.js'
import type { Page } from '../page.js'

export const adminPath = '/admin/'
export const accountsPath = `${adminPath}accounts/`
export const plansPath = `${adminPath}plans/`
export const promotionsPath = `${adminPath}promotions/`
export const invoicesPath = `${adminPath}invoices/`
export const servicesPath = `${adminPath}services/`
export const storedPath = `${adminPath}storage/`
export const staffLogPath = `${adminPath}log/`

/** The sections of the administration, by path. */
const sections: [string, MessageKey][] = [
  [adminPath, 'admin.settings'],
  [accountsPath, 'admin.accounts'],
  [plansPath, 'adminPlans.title'],
  [promotionsPath, 'promotions.title'],
  [invoicesPath, 'billing.invoices'],
  [servicesPath, 'services.title'],
  [storedPath, 'stored.title'],
  [staffLogPath, 'staffLog.title'],
]

export const hasBilling = ({ cfg }: Pick<Input, 'cfg'>): boolean => cfg.billingProvider !== 'off'

type Section = {
  path: string
  title: Html
  content: Html
  problem?: Problem
  done?: MessageKey | undefined
}

/** A page for administrators. The services refuse what it reads and changes to others. */
export function adminPage(input: Input, section: Section): Page {
  const { path, title, content, problem, done } = section
  const { t } = textsOf(input)
  const shown = sections.filter(([to]) => hasBilling(input) || to !== invoicesPath)
  const links = shown.map(
    ([to, name]) =>
      html`<a href="${to}"${to === path ? html` aria-current="page"` : html``}>${t(name)}</a>`,
  )
  return {
    ...(problem && { status: problem.status }),
    title,
    hasForm: true,
    content: html`<div class="tabs"><nav aria-label="${t('admin.title')}">${links}</nav></div>
<h1>${title}</h1>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}${content}`,
  }
}

/** Dangerous actions ask for the password of the administrator again. */
export const passwordInput = (input: Input): Html =>
  html`${ownUsername(input)}<label>${textsOf(input).t('admin.yourPassword')} <input type="password" name="password" autocomplete="current-password"></label>`

/** Checks the password that the form has, and then does what it asks for. */
export const withPassword = <T>(
  { services, call, body }: Input<FormValues>,
  work: () => Promise<T>,
): Promise<T> => services.accounts.checkPassword({ password: body.password ?? '' }, call).then(work)

/** Throws unless the reader is staff, for pages of what everybody may read; identity decides it. */
export async function requireStaffReader({ services, call }: Input): Promise<void> {
  const { mayUpdate } = await services.site.getSettings({}, call)
  if (!mayUpdate) throw denied('STAFF')
}

import { denied } from '@figbase/kit/errors'
import { type Html, html } from '@figbase/kit/text'
import type { Settings } from '@figbase/proto/identity/site'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { doneOf, doneQuery } from '../account/layout.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { type Page, userPage } from '../page.js'
import { adminPage, adminPath } from './layout.js'

/** The settings of the site. */
export const settingsPages: Route[] = [
  userPage(adminPath, (input) => settingsPage(input), doneQuery),
  userForm(adminPath, (input) => {
    const { body, services, call } = input
    return resultOf(
      services.site.updateSettings(requestOf(body), call),
      `${adminPath}?done=saved`,
      (problem) => settingsPage({ ...input, query: {} }, problem, body),
    )
  }),
]

const switches = [
  ['sign_up', 'admin.signUp', ({ signUpEnabled }: Settings) => signUpEnabled],
  ['links', 'admin.links', ({ linkSharingEnabled }: Settings) => linkSharingEnabled],
  ['ai', 'admin.ai', ({ aiEnabled }: Settings) => aiEnabled],
] as const satisfies [string, MessageKey, (settings: Settings) => boolean][]

const requestOf = (body: FormValues) => ({
  siteName: body.site_name ?? '',
  announcement: (body.announcement ?? '').replaceAll('\r\n', '\n'),
  signUpEnabled: body.sign_up !== undefined,
  linkSharingEnabled: body.links !== undefined,
  aiEnabled: body.ai !== undefined,
  ...(body.model !== undefined && { aiModel: body.model }),
  expectedVersion: /^\d{1,9}$/.test(body.version ?? '') ? Number(body.version) : 0,
})

async function settingsPage(input: Input, problem?: Problem, typed?: FormValues): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const answer = await services.site.getSettings({}, call)
  if (!answer.mayUpdate) throw denied('STAFF')
  const settings = required(answer.settings)
  return adminPage(input, {
    path: adminPath,
    title: texts.t('admin.settings'),
    problem,
    done: doneOf(input, { saved: 'admin.saved' }),
    content: settingsForm(input, texts, settings, typed),
  })
}

function settingsForm(input: Input, { t }: Texts, settings: Settings, typed?: FormValues): Html {
  const { version, siteName, announcement, aiModel, aiSupportedModels } = settings
  const boxes = switches
    .filter(([name]) => name !== 'ai' || aiSupportedModels.length > 0)
    .map(([name, label, read]) => {
      const isChecked = typed ? typed[name] !== undefined : read(settings)
      return html`<label class="check"><input type="checkbox" name="${name}"${isChecked ? html` checked=""` : html``}> ${t(label)}</label>`
    })
  const models = aiSupportedModels.map(
    (model) =>
      html`<option${model === (typed?.model ?? aiModel) ? html` selected=""` : html``}>${model}</option>`,
  )
  const model =
    models.length > 0
      ? html`<label>${t('admin.model')} <select name="model">${models}</select></label>`
      : html``
  return html`<form method="post" action="${adminPath}">${formToken(input)}<input type="hidden" name="version" value="${String(version)}">
<label>${t('admin.siteName')} <input name="site_name" value="${typed?.site_name ?? siteName}" required></label>
<label>${t('admin.announcement')} <textarea name="announcement" rows="3">
${typed?.announcement ?? announcement}</textarea></label>
${boxes}${model}
<button>${t('edit.save')}</button></form>`
}

import { type Html, html } from '@figbase/kit/text'
import type { Plan, Promotion } from '@figbase/proto/catalog/plans'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { doneOf } from '../account/layout.js'
import { confirmPage } from '../confirm.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { entryList } from '../lists.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import {
  adminPage,
  passwordInput,
  promotionsPath,
  requireStaffReader,
  withPassword,
} from './layout.js'

const query = z.object({
  cursor: z.string().max(1000).optional(),
  done: z.string().optional(),
})
const dayMs = 86_400_000

/** The promotion codes. */
export const promotionPages: Route[] = [
  userPage(promotionsPath, (input) => listPage(input), { query }),
  userForm(promotionsPath, (input) => {
    const { services, call, body } = input
    const work = services.plans.createPromotion(requestOf(body), call)
    return resultOf(work, `${promotionsPath}?done=created`, (problem) =>
      listPage({ ...input, query: {} }, problem, body),
    )
  }),
  userPage(`${promotionsPath}:code/delete/`, (input) => deletePage(input)),
  userForm(`${promotionsPath}:code/delete/`, (input) => {
    const { params, services, call } = input
    const work = withPassword(input, () =>
      services.plans.deletePromotion({ code: params.code ?? '' }, call),
    )
    return resultOf(work, `${promotionsPath}?done=deleted`, (problem) => deletePage(input, problem))
  }),
]

/** Until the end of the day, in UTC. */
function requestOf({ code = '', plan: planId = '', uses = '', until = '' }: FormValues) {
  const end = Date.parse(`${until}T00:00:00Z`) + dayMs
  return {
    code,
    planId,
    ...(/^\d{1,9}$/.test(uses) && { usesMax: Number(uses) }),
    ...(!Number.isNaN(end) && { expiresOn: { seconds: BigInt(end / 1000), nanos: 0 } }),
  }
}

const doneMessages: Record<string, MessageKey> = {
  created: 'promotions.created',
  deleted: 'promotions.deleted',
}

async function listPage(input: Input, problem?: Problem, typed: FormValues = {}): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const [{ promotions, nextPageToken }, { plans }] = await Promise.all([
    services.plans.listPromotions({ pageSize: cfg.pageItemsMax, pageToken }, call),
    services.plans.listPlans({}, call),
  ])
  const entries = promotions.map((one) => entry(texts, plans, one))
  return adminPage(input, {
    path: promotionsPath,
    title: t('promotions.title'),
    problem,
    done: doneOf(input, doneMessages),
    content: html`${entryList(entries, t('promotions.none'))}${nextLink(input, nextPageToken)}${newForm(input, plans, typed)}`,
  })
}

function entry({ t, date, number }: Texts, plans: Plan[], promotion: Promotion): Html {
  const { code, planId, uses, usesMax, expiresOn } = promotion
  const plan = nameHtml(plans.find(({ id }) => id === planId)?.terms?.name ?? planId)
  const used =
    usesMax === undefined
      ? t('promotions.used', { uses: number(uses) })
      : t('promotions.usedOf', { uses: number(uses), max: number(usesMax) })
  const until = expiresOn ? html` · ${t('promotions.until', { date: date(expiresOn) })}` : html``
  return html`<li><div><code>${code}</code> <span class="quiet">${plan} · ${used}${until}</span></div>
<a href="${promotionsPath}${encodeURIComponent(code)}/delete/">${t('action.delete')}<span class="hidden"> ${code}</span></a></li>`
}

function newForm(input: Input, plans: Plan[], typed: FormValues): Html {
  const { t } = textsOf(input)
  const options = plans.map(
    ({ id, terms }) =>
      html`<option value="${id}"${id === typed.plan ? html` selected=""` : html``}>${terms?.name ?? id}</option>`,
  )
  return html`<h2>${t('promotions.new')}</h2><form method="post" action="${promotionsPath}">${formToken(input)}
<label>${t('promotions.plan')} <select name="plan">${options}</select></label>
<label>${t('promotions.code')} <input name="code" value="${typed.code ?? ''}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="64"></label>
<label>${t('promotions.usesMax')} <input type="number" name="uses" value="${typed.uses ?? ''}" min="1" step="1"></label>
<label>${t('promotions.lastDay')} <input type="date" name="until" value="${typed.until ?? ''}"></label>
<button>${t('edit.create')}</button></form>`
}

async function deletePage(input: Input, problem?: Problem): Promise<Page> {
  await requireStaffReader(input)
  const { t } = textsOf(input)
  const { code = '' } = input.params
  return confirmPage(input, {
    title: t('promotions.delete'),
    text: t('promotions.deleteQuestion', { code: html`<code>${code}</code>` }),
    action: `${promotionsPath}${encodeURIComponent(code)}/delete/`,
    inputs: passwordInput(input),
    button: t('action.delete'),
    back: promotionsPath,
    problem,
  })
}

import { type Html, html } from '@figbase/kit/text'
import type { Plan, PlanTerms, Subscription } from '@figbase/proto/catalog/plans'
import type { Input, Route } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { required } from '../../required.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { doneOf, doneQuery } from '../account/layout.js'
import { hasBilling } from '../admin/layout.js'
import { type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'
import { activitiesPlot, aiPlot, computePlot, storedPlot, unavailable } from './months.js'
import { termsLine, termsList } from './terms.js'

/** The plan of workspaces and organizations, and what they use. The services refuse it to those who may not manage. */
export const containerUsagePages: Route[] = [kinds.workspace, kinds.organization].flatMap(pagesOf)

function pagesOf(kind: Kind): Route[] {
  const { segment, type } = kind
  const path = `/${segment}/:id/usage/`
  const submitted = (input: Input<FormValues>, work: Promise<unknown>, done: string) =>
    resultOf(work, `${usagePath(input, kind)}?done=${done}`, (problem) =>
      usagePage({ ...input, query: {} }, kind, problem, input.body),
    )
  return [
    userPage(path, (input) => usagePage(input, kind), doneQuery),
    userForm(path, (input) => {
      const { plan: planId, overages, asks_overages: asks } = input.body
      const request = {
        nodeId: idIn(input),
        type,
        ...(planId && { planId }),
        ...(asks && { computeOveragesEnabled: overages !== undefined }),
      }
      const work = input.services.plans.changeSubscription(request, input.call)
      return submitted(input, work, 'changed')
    }),
    userForm(`${path}promotion/`, (input) => {
      const request = { nodeId: idIn(input), type, code: input.body.code ?? '' }
      return submitted(input, input.services.plans.applyPromotion(request, input.call), 'applied')
    }),
  ]
}

const usagePath = (input: Input, { type }: Kind) => `${pagePath({ id: idIn(input), type })}usage/`

const doneMessages: Record<string, MessageKey> = {
  changed: 'usage.changed',
  applied: 'usage.applied',
}

async function usagePage(
  input: Input,
  kind: Kind,
  problem?: Problem,
  typed: FormValues = {},
): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const { t } = texts
  const { type } = kind
  const id = idIn(input)
  const of = {
    case: type === kinds.workspace.type ? 'workspaceId' : 'organizationId',
    value: id,
  } as const
  const [placed, answer, offered, site, usage, ai, compute] = await Promise.all([
    getPlaced(input, id, type),
    services.plans.getSubscription({ nodeId: id, type }, call),
    services.plans.listPlans({}, call),
    services.site.getPublicSettings({}, call),
    services.plans.listMonthlyUsage({ nodeId: id, type }, call),
    ifAvailable(services.aiUsage.listMonthlyTokens({ id, type }, call)),
    ifAvailable(services.compute.listMonthlySeconds({ of }, call)),
  ])
  const subscription = required(answer.subscription)
  const plan = required(subscription.plan)
  const terms = required(plan.terms)
  const done = doneOf(input, doneMessages)
  const forms = subscription.managedBy
    ? html`<p>${t('usage.managed', { link: (text) => html`<a href="/organization/${subscription.managedBy}/">${text}</a>` })}</p>`
    : changeForms(input, texts, { kind, subscription, offered: offered.plans, typed })
  const billing =
    hasBilling(input) && !subscription.managedBy
      ? html`<p class="way"><a href="${pagePath({ id, type })}billing/">${t('billing.link')}</a></p>`
      : html``
  const tokens = ai ? aiPlot(texts, ai.months) : unavailable(texts, t('usage.tokens'))
  const hours = compute ? computePlot(texts, compute.months) : unavailable(texts, t('usage.hours'))
  const hasCompute =
    terms.computeEnabled || compute?.months.some(({ billableSeconds }) => billableSeconds > 0n)
  return {
    ...(problem && { status: problem.status }),
    title: t('usage.title'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<h1>${t('usage.title')}</h1>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}
<h2>${t('usage.plan', { name: nameHtml(terms.name) })}</h2>
${terms.description ? html`<p class="words" dir="auto">${terms.description}</p>` : html``}
${termsList(texts, subscription, terms, site.aiEnabled ? ai?.quota : undefined)}
${billing}${activitiesPlot(texts, usage.months)}${storedPlot(texts, usage.months)}
${site.aiEnabled ? tokens : html``}${hasCompute ? hours : html``}${forms}`,
  }
}

type Forms = { kind: Kind; subscription: Subscription; offered: Plan[]; typed: FormValues }

function changeForms(
  input: Input,
  texts: Texts,
  { kind, subscription, offered, typed }: Forms,
): Html {
  const { t } = texts
  const path = usagePath(input, kind)
  const current = subscription.plan
  const choices = offered.filter(({ id, terms }) => terms?.isSelfService || id === current?.id)
  const plans =
    choices.length > 1
      ? html`<fieldset class="options"><legend>${t('usage.choose')}</legend>${choices.map(
          ({ id, terms }) => planOption(texts, id, terms, id === (typed.plan ?? current?.id)),
        )}</fieldset>`
      : html``
  const hasOverages = current?.terms?.computeEnabled
  const isOn = typed.asks_overages
    ? typed.overages !== undefined
    : subscription.computeOveragesEnabled
  const overages = hasOverages
    ? html`<input type="hidden" name="asks_overages" value="1"><label class="check"><input type="checkbox" name="overages"${isOn ? html` checked=""` : html``}> ${t('usage.overages')}</label>`
    : html``
  const change =
    choices.length > 1 || hasOverages
      ? html`<h2>${t('usage.change')}</h2><form method="post" action="${path}">${formToken(input)}${plans}${overages}<button>${t('edit.save')}</button></form>`
      : html``
  return html`${change}
<form method="post" action="${path}promotion/">${formToken(input)}
<label>${t('usage.code')} <input name="code" value="${typed.code ?? ''}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="64" required></label>
<button class="secondary">${t('usage.apply')}</button></form>`
}

function planOption(
  texts: Texts,
  id: string,
  terms: PlanTerms | undefined,
  isChosen: boolean,
): Html {
  if (!terms) return html``
  return html`<label class="check"><input type="radio" name="plan" value="${id}"${isChosen ? html` checked=""` : html``}>
<span><strong>${nameHtml(terms.name)}</strong> <span class="quiet">${termsLine(texts, terms)}</span></span></label>`
}

import { html } from '@figbase/kit/text'
import type { Plan } from '@figbase/proto/catalog/plans'
import type { Input, Route } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { doneOf, doneQuery } from '../account/layout.js'
import { confirmPage } from '../confirm.js'
import { type FormValues, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { pageNotFound } from '../ids.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { termsLine } from '../usage/terms.js'
import { adminPage, passwordInput, plansPath, requireStaffReader, withPassword } from './layout.js'
import { planForm, planOf } from './plan-form.js'

const newPath = `${plansPath}new/`

/** The plans. */
export const planPages: Route[] = [
  userPage(plansPath, listPage, doneQuery),
  userPage(newPath, (input) => newPage(input)),
  userForm(newPath, (input) =>
    resultOf(
      (async () => input.services.plans.createPlan(planOf(input.body), input.call))(),
      `${plansPath}?done=created`,
      (problem) => newPage(input, problem, input.body),
    ),
  ),
  userPage(`${plansPath}:id/`, (input) => editPage(input)),
  userForm(`${plansPath}:id/`, (input) => {
    const { params, services, call, body } = input
    const change = async () =>
      services.plans.updatePlan({ id: params.id ?? '', ...planOf(body) }, call)
    return resultOf(change(), `${plansPath}?done=changed`, (problem) =>
      editPage(input, problem, body),
    )
  }),
  userPage(`${plansPath}:id/delete/`, (input) => deletePage(input)),
  userForm(`${plansPath}:id/delete/`, (input) => {
    const { params, services, call } = input
    const work = withPassword(input, () => services.plans.deletePlan({ id: params.id ?? '' }, call))
    return resultOf(work, `${plansPath}?done=deleted`, (problem) => deletePage(input, problem))
  }),
]

const doneMessages: Record<string, MessageKey> = {
  created: 'adminPlans.created',
  changed: 'adminPlans.changed',
  deleted: 'adminPlans.deleted',
}

async function listPage(input: Input): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const [{ plans }] = await Promise.all([
    input.services.plans.listPlans({}, input.call),
    requireStaffReader(input),
  ])
  return adminPage(input, {
    path: plansPath,
    title: t('adminPlans.title'),
    done: doneOf(input, doneMessages),
    content: html`<p><a class="button" href="${newPath}">${t('adminPlans.new')}</a></p>
<ul class="entries">${plans.map((plan) => entry(texts, plan))}</ul>`,
  })
}

function entry(texts: Texts, { id, terms, isDefault }: Plan) {
  if (!terms) return html``
  const { t } = texts
  const marks = [
    ...(isDefault ? [t('adminPlans.isDefault')] : []),
    ...(terms.isSelfService ? [t('adminPlans.isSelfService')] : []),
  ]
  const remove = isDefault
    ? html``
    : html`<a href="${plansPath}${id}/delete/">${t('action.delete')}<span class="hidden"> ${nameHtml(terms.name)}</span></a>`
  return html`<li><div><a href="${plansPath}${id}/">${nameHtml(terms.name)}</a> ${marks.map((mark) => html`<span class="mark">${mark}</span> `)}
<span class="quiet">${termsLine(texts, terms)}</span></div>${remove}</li>`
}

async function newPage(input: Input, problem?: Problem, typed?: FormValues): Promise<Page> {
  await requireStaffReader(input)
  return adminPage(input, {
    path: '',
    title: textsOf(input).t('adminPlans.new'),
    problem,
    content: planForm(input, { action: newPath, typed, button: 'edit.create' }),
  })
}

/** The plan in the path; throws a 404 if there is none. */
async function readPlan(input: Input): Promise<Plan> {
  const [{ plans }] = await Promise.all([
    input.services.plans.listPlans({}, input.call),
    requireStaffReader(input),
  ])
  const found = plans.find(({ id }) => id === input.params.id)
  if (!found) throw pageNotFound()
  return found
}

async function editPage(input: Input, problem?: Problem, typed?: FormValues): Promise<Page> {
  const plan = await readPlan(input)
  return adminPage(input, {
    path: '',
    title: nameHtml(plan.terms?.name ?? ''),
    problem,
    content: planForm(input, {
      action: `${plansPath}${plan.id}/`,
      plan,
      typed,
      button: 'edit.save',
    }),
  })
}

async function deletePage(input: Input, problem?: Problem): Promise<Page> {
  const { t } = textsOf(input)
  const { id, terms } = await readPlan(input)
  return confirmPage(input, {
    title: t('adminPlans.delete'),
    text: t('adminPlans.deleteQuestion', { name: nameHtml(terms?.name ?? '') }),
    action: `${plansPath}${id}/delete/`,
    inputs: passwordInput(input),
    button: t('action.delete'),
    back: plansPath,
    problem,
  })
}

import { type Html, html } from '@figbase/kit/text'
import type { Plan } from '@figbase/proto/catalog/plans'
import type { Input } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import { planBody, termsOf } from '../../routes/plan/plan-body.js'
import { planShape } from '../../shapes/plan.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type FormValues, formToken } from '../form.js'

type Member = keyof ReturnType<typeof planShape>

/** The inputs of a plan by member. An empty limit means unlimited. */
const costs: [Member, MessageKey][] = [
  ['monthly_cost', 'adminPlans.monthlyCost'],
  ['annual_cost', 'adminPlans.annualCost'],
]
const limits: [Member, MessageKey][] = [
  ['max_storage_bytes', 'adminPlans.storageBytes'],
  ['max_users', 'adminPlans.users'],
  ['monthly_token_quota', 'adminPlans.tokens'],
  ['deep_insight_rate', 'adminPlans.aiRate'],
  ['compute_max_running_instances', 'adminPlans.instances'],
  ['monthly_compute_seconds', 'adminPlans.computeSeconds'],
  ['max_idle_seconds', 'adminPlans.maxIdle'],
  ['default_idle_seconds', 'adminPlans.defaultIdle'],
  ['effective_max_data_volume_gb', 'adminPlans.volume'],
]
const switches: [Member, MessageKey][] = [
  ['is_self_service', 'adminPlans.selfService'],
  ['allow_flexible_storage', 'adminPlans.ownStorage'],
  ['compute_enabled', 'adminPlans.compute'],
  ['idle_shutdown_required', 'adminPlans.idleShutdown'],
  ['is_default', 'adminPlans.default'],
]

/** What the services expect of a submitted plan; the same rules as those of the API. */
export function planOf(body: FormValues) {
  const members: Record<string, unknown> = {
    name: body.name ?? '',
    description: body.description ?? '',
  }
  for (const [name] of [...costs, ...limits]) {
    const text = (body[name] ?? '').trim()
    if (text !== '') members[name] = Number(text)
  }
  for (const [name] of switches) members[name] = body[name] !== undefined
  const { data, error } = planBody.safeParse(members)
  if (!data) throw new HttpError(400, 'invalid_request', firstProblem(error))
  return { terms: termsOf(data), isDefault: data.is_default ?? false }
}

const firstProblem = ({ issues }: { issues: { path: PropertyKey[]; message: string }[] }) =>
  `${String(issues[0]?.path[0])}: ${issues[0]?.message}`

type Shown = {
  action: string
  plan?: Plan | undefined
  typed?: FormValues | undefined
  button: MessageKey
}

export function planForm(input: Input, { action, plan, typed, button }: Shown): Html {
  const { t } = textsOf(input)
  const stored: Partial<ReturnType<typeof planShape>> = plan ? planShape(plan) : {}
  const textOf = (name: Member) => typed?.[name] ?? String(stored[name] ?? '')
  const isOn = (name: Member) => (typed ? typed[name] !== undefined : stored[name] === true)
  const numberInput = ([name, label]: [Member, MessageKey], step: string) =>
    html`<label>${t(label)} <input type="number" name="${name}" value="${textOf(name)}" min="0" step="${step}"></label>`
  // A default plan remains it until another one becomes it.
  const boxes = switches.filter(([name]) => name !== 'is_default' || !stored.is_default)
  return html`<form method="post" action="${action}">${formToken(input)}
<label>${t('edit.name')} <input name="name" value="${textOf('name')}" maxlength="200" required></label>
<label>${t('edit.description')} <textarea name="description" rows="3">
${textOf('description')}</textarea></label>
${costs.map((one) => numberInput(one, '0.01'))}
<p class="quiet">${t('adminPlans.empty')}</p>
${limits.map((one) => numberInput(one, '1'))}
${boxes.map(
  ([name, label]) =>
    html`<label class="check"><input type="checkbox" name="${name}"${isOn(name) ? html` checked=""` : html``}> ${t(label)}</label>`,
)}
<button>${t(button)}</button></form>`
}

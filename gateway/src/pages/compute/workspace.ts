import { type Html, html } from '@figbase/kit/text'
import type { GetAllowanceResponse, GetLaunchOptionsResponse } from '@figbase/proto/compute'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { kinds } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'
import { notebookList } from './list.js'
import { hours, notebookPath, requireCompute, tierOptions } from './status.js'

const address = '/workspace/:id/notebooks/'

/** The notebooks of a workspace, what they have cost, and the form that launches one. */
export const workspaceNotebooks: Route[] = [
  userPage(address, (input) => listPage(input)),
  userForm(address, launch),
]

async function listPage(input: Input, typed?: FormValues, problem?: Problem): Promise<Page> {
  requireCompute(input)
  const { compute } = input.services
  const texts = textsOf(input)
  const { t } = texts
  const workspaceId = idIn(input)
  const [placed, { instances }, options, allowance, usage] = await Promise.all([
    getPlaced(input, workspaceId, kinds.workspace.type),
    // A workspace has at most COMPUTE_INSTANCES_MAX of them.
    compute.listInstances({ workspaceId }, input.call),
    compute.getLaunchOptions({ workspaceId }, input.call),
    compute.getAllowance({ workspaceId }, input.call),
    compute.getUsage({ of: { case: 'workspaceId', value: workspaceId }, pageSize: 1 }, input.call),
  ])
  const list = notebookList(texts, instances, ({ owner, statusDetail }) => {
    const detail = statusDetail ? html` · <span lang="en">${statusDetail}</span>` : html``
    return html`${nameHtml(owner)}${detail}`
  })
  return {
    ...(problem && { status: problem.status }),
    title: t('compute.title'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t(kinds.workspace.name)}</p>
<h1>${t('compute.title')}</h1>
${list}
<h2>${t('compute.usage')}</h2>
<p>${t('compute.used', { hours: hours(texts, usage.billableSeconds), month: usage.period })} ${leftOf(texts, allowance)}
${t('compute.volumes', { size: texts.number(usage.dataVolumeGb) })}</p>
<h2>${t('compute.new')}</h2>
${problemNote(t, problem)}${launchForm(input, options, typed)}`,
  }
}

function leftOf(texts: Texts, { remainingSeconds: left, isExhausted }: GetAllowanceResponse): Html {
  if (isExhausted) return texts.t('compute.exhausted')
  return left === undefined
    ? texts.t('compute.unlimited')
    : texts.t('compute.left', { hours: hours(texts, left) })
}

function launchForm(
  input: Input,
  options: GetLaunchOptionsResponse,
  typed: FormValues | undefined,
): Html {
  const texts = textsOf(input)
  const { t } = texts
  const { canLaunch, reason, reasonDetail, tiers, maxDataVolumeGb: max } = options
  if (!canLaunch) {
    return problemNote(t, { status: 403, error: reason, detail: reasonDetail })
  }
  const volume = typed?.volume ?? String(options.defaultDataVolumeGb)
  const maximum = max === undefined ? html`` : html` max="${String(max)}"`
  return html`<form method="post">${formToken(input)}
<label>${t('edit.name')} <input name="name" value="${typed?.name ?? ''}" maxlength="500" required></label>
<label>${t('compute.tier')} <select name="tier">${tierOptions(texts, tiers, typed?.tier ?? options.defaultTier)}</select></label>
<label>${t('compute.volume')} <input type="number" name="volume" value="${volume}" min="1"${maximum} required></label>
<p class="quiet">${t('compute.note')}</p>
<button>${t('compute.launch')}</button></form>`
}

async function launch(input: Input<FormValues>): Promise<FormResult> {
  requireCompute(input)
  const { services, call, body } = input
  const { name = '', tier = '', volume = '' } = body
  // Anything but a number is refused by the service, as 0 is.
  const dataVolumeGb = /^\d{1,6}$/.test(volume) ? Number(volume) : 0
  const request = { workspaceId: idIn(input), name, tier, dataVolumeGb }
  const launched = await tried(services.compute.launchInstance(request, call))
  if (!launched.problem) return { to: notebookPath(required(launched.value.instance).id) }
  const { problem } = launched
  return { status: problem.status, page: await listPage(input, body, problem) }
}

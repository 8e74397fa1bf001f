import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { type Instance, Lifecycle } from '@figbase/proto/compute'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { path } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { history, measured, settings } from './notebook-parts.js'
import { hours, isAtRest, isChanging, notebookPath, requireCompute, stateOf } from './status.js'

const eventsMax = 20
const refreshSeconds = 3

/** A notebook: its state, and what the reader may do with it. */
export const notebookPages: Route[] = [
  userPage('/notebook/:id/', (input) => notebookPage(input)),
  userForm('/notebook/:id/', change),
]

/** The notebook in the path. */
export async function readNotebook(input: Input): Promise<Instance> {
  requireCompute(input)
  const { instance } = await input.services.compute.getInstance({ id: idIn(input) }, input.call)
  return required(instance)
}

async function notebookPage(input: Input, problem?: Problem): Promise<Page> {
  const { services, call } = input
  const { compute, catalog } = services
  const texts = textsOf(input)
  const { t, dateTime } = texts
  const id = idIn(input)
  const [instance, { heartbeat }, { events }, { tiers }, { billableSeconds }] = await Promise.all([
    readNotebook(input),
    compute.getHeartbeat({ id }, call),
    compute.listInstanceEvents({ id, pageSize: eventsMax }, call),
    compute.listTiers({}, call),
    compute.getUsage({ of: { case: 'instanceId', value: id }, pageSize: 1 }, call),
  ])
  const { name, owner, workspaceId, statusDetail, runningSince } = instance
  const ids = { ids: [workspaceId], type: NodeType.WORKSPACE }
  const { nodes } = await catalog.resolveNodes(ids, call)
  const tier = tiers.find(({ id }) => id === instance.tier)?.label ?? instance.tier
  const facts = [
    t('compute.ownedBy', { owner: nameHtml(owner) }),
    t('compute.size', { tier, size: texts.number(instance.dataVolumeGb) }),
    t('compute.usedOf', { hours: hours(texts, billableSeconds) }),
    ...(runningSince ? [t('compute.runningSince', { time: dateTime(runningSince) })] : []),
  ]
  return {
    ...(problem && { status: problem.status }),
    ...(isChanging(instance) && { refreshSeconds }),
    title: html`${name}`,
    hasForm: true,
    content: html`${path(texts, nodes)}<p class="kind"><a href="/workspace/${workspaceId}/notebooks/">${t('compute.title')}</a> <span class="mark">${stateOf(texts, instance)}</span></p>
<h1>${nameHtml(name)}</h1>
<p class="quiet">${facts.map((fact, i) => (i > 0 ? html` · ${fact}` : fact))}</p>
${statusDetail ? html`<p lang="en">${statusDetail}</p>` : html``}${problemNote(t, problem)}${buttons(input, instance)}
${isRunning(instance) ? measured(texts, heartbeat) : html``}${settings(input, instance, tiers)}${history(texts, events)}`,
  }
}

const isRunning = ({ lifecycle }: Instance) => lifecycle === Lifecycle.RUNNING

function buttons(input: Input, instance: Instance): Html {
  const { t } = textsOf(input)
  const { id, lifecycle, canOperate, canConnect, canTerminate } = instance
  const open =
    canConnect && isRunning(instance)
      ? html`<a class="button" href="${notebookPath(id)}open/">${t('compute.open')}</a>`
      : html``
  const command = (action: string, label: MessageKey, className: string) =>
    html`<button name="action" value="${action}" class="${className}">${t(label)}</button>`
  const canStop = [Lifecycle.PENDING, Lifecycle.STARTING, Lifecycle.RUNNING].includes(lifecycle)
  const commands = [
    ...(canOperate && isAtRest(instance) ? [command('start', 'compute.start', 'primary')] : []),
    ...(canOperate && canStop ? [command('stop', 'compute.stop', 'secondary')] : []),
  ]
  const end =
    canTerminate && lifecycle !== Lifecycle.TERMINATED
      ? html`<a href="${notebookPath(id)}terminate/">${t('compute.terminate')}</a>`
      : html``
  return html`<form class="inline" method="post">${formToken(input)}<div class="buttons">${open}${commands}${end}</div></form>`
}

async function change(input: Input<FormValues>): Promise<FormResult> {
  requireCompute(input)
  const { services, call, body } = input
  const { compute } = services
  const id = idIn(input)
  const commands: Record<string, () => Promise<unknown>> = {
    start: () => compute.startInstance({ id }, call),
    stop: () => compute.stopInstance({ id }, call),
    tier: () => compute.changeTier({ id, tier: body.tier ?? '' }, call),
    save: () => compute.updateInstance({ id, ...settingsIn(body) }, call),
  }
  const { action = '' } = body
  const command = Object.hasOwn(commands, action) ? commands[action] : undefined
  if (!command) throw pageNotFound()
  return resultOf(command(), notebookPath(id), (problem) => notebookPage(input, problem))
}

const settingsIn = ({ name = '', idle, minutes = '' }: FormValues) => ({
  name,
  idleShutdownEnabled: idle !== undefined,
  idleShutdownSeconds: /^\d{1,6}$/.test(minutes) ? Number(minutes) * 60 : 0,
})

import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { doneOf, doneQuery } from '../account/layout.js'
import { withPassword } from '../admin/layout.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, problemNote, problemOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { settingsOf, storageForm } from './storage-form.js'

/** Where new data of workspaces and organizations is stored. The services refuse it to those who may not manage. */
export const storagePages: Route[] = [kinds.workspace, kinds.organization].flatMap(pagesOf)

function pagesOf(kind: Kind): Route[] {
  const path = `/${kind.segment}/:id/storage/`
  return [
    userPage(path, (input) => storagePage(input, kind), doneQuery),
    userForm(path, (input) => submit(input, kind)),
  ]
}

const storagePath = (input: Input, { type }: Kind) =>
  `${pagePath({ id: idIn(input), type })}storage/`

/** Tests the settings, or changes them; the latter asks for the password. */
async function submit(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { body, services, call } = input
  const { plans } = services
  const request = { nodeId: idIn(input), type: kind.type, settings: settingsOf(body) }
  const isTest = body.action === 'test'
  const problem = await problemOf(
    isTest
      ? plans.checkStorage(request, call)
      : withPassword(input, () => plans.changeStorage(request, call)),
  )
  if (!problem && !isTest) return { to: `${storagePath(input, kind)}?done=changed` }
  const shown = { ...input, query: problem ? {} : { done: 'tested' } }
  const page = await storagePage(shown, kind, problem, body)
  return { status: problem?.status ?? 200, page }
}

const doneMessages: Record<string, MessageKey> = {
  changed: 'storage.changed',
  tested: 'storage.tested',
}

async function storagePage(
  input: Input,
  kind: Kind,
  problem?: Problem,
  typed?: FormValues,
): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const { t } = texts
  const { type } = kind
  const of = { nodeId: idIn(input), type }
  const [placed, storage, { subscription }] = await Promise.all([
    getPlaced(input, of.nodeId, type),
    services.plans.getStorage(of, call),
    services.plans.getSubscription(of, call),
  ])
  const settings = required(storage.settings)
  const done = doneOf(input, doneMessages)
  const note = type === NodeType.WORKSPACE ? t('storage.what') : t('storage.whatOrganization')
  const isAllowed =
    subscription?.plan?.terms?.allowFlexibleStorage || settings.vendor !== storage.defaultVendor
  const form = isAllowed
    ? storageForm(input, { path: storagePath(input, kind), storage, typed })
    : html`<p class="empty">${t('storage.notAllowed', { link: (text) => html`<a href="${pagePath(placed.node)}usage/">${text}</a>` })}</p>`
  return {
    ...(problem && { status: problem.status }),
    title: t('storage.title'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<h1>${t('storage.title')}</h1>
<p>${note}</p>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}${form}`,
  }
}

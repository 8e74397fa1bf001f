import { NodeType } from '@figbase/proto/catalog'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { accessMember, toApiKeyAccess } from '../../shapes/api-key.js'
import { textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, tried } from '../form-problem.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { type KeyValues, keysContent, keysPath, newKeyContent } from './api-key-page.js'
import { accountPage, doneOf, doneQuery } from './layout.js'

const dayMs = 86_400_000

const show = userPage(keysPath, (input) => keysPage(input), doneQuery)

async function keysPage(input: Input, problem?: Problem, typed?: KeyValues): Promise<Page> {
  const { services, call } = input
  const [{ keys }, { nodes }] = await Promise.all([
    services.identity.listApiKeys({}, call),
    services.catalog.listNodes({ type: NodeType.WORKSPACE }, call),
  ])
  const done = doneOf(input, { deleted: 'apiKeys.deleted' })
  const content = keysContent(input, keys, nodes, typed)
  return accountPage(input, { path: keysPath, problem, done, content })
}

/** Shows the token once: this answer is not stored, and a repetition of the form is refused because of the name. */
const create = userForm(keysPath, async (input): Promise<FormResult> => {
  const { body, services, call } = input
  const { name = '', workspace = '' } = body
  const { data: access } = accessMember.safeParse(body.access)
  if (!access) return refused(input, { status: 400, error: '', detail: 'access: is unknown' })
  const days = daysIn(body)
  if (days === undefined) return refused(input, { status: 400, error: '', detail: 'expiry: days' })
  const request = {
    name,
    workspaceId: workspace,
    access: toApiKeyAccess(access),
    ...(days > 0 && { expiresOn: timeAfter(days) }),
  }
  const made = await tried(services.identity.createApiKey(request, call))
  if (made.problem) return refused(input, made.problem)
  const { key, token } = made.value
  const content = newKeyContent(input, required(key), token)
  return { status: 201, page: accountPage(input, { path: keysPath, content }) }
})

const refused = async (input: Input<FormValues>, problem: Problem): Promise<FormResult> => ({
  status: problem?.status ?? 400,
  page: await keysPage(input, problem, input.body),
})

const daysMax = 3650

/** The life of the key; 0: it does not expire; undefined if it is not valid. */
function daysIn({ days = '' }: FormValues): number | undefined {
  if (days === '') return 0
  const count = Number(days)
  return Number.isInteger(count) && count > 0 && count <= daysMax ? count : undefined
}

const timeAfter = (days: number) => ({
  seconds: BigInt(Math.floor((Date.now() + days * dayMs) / 1000)),
  nanos: 0,
})

const askDelete = userPage(`${keysPath}:id/delete/`, async (input) => {
  const { params, services, call } = input
  const { t } = textsOf(input)
  const { id = '' } = params
  const key = required((await services.identity.getApiKey({ id }, call)).key)
  return confirmPage(input, {
    title: t('apiKeys.deleteTitle'),
    text: t('apiKeys.deleteQuestion', { name: nameHtml(key.name) }),
    action: `${keysPath}${key.id}/delete/`,
    button: t('action.delete'),
    back: keysPath,
  })
})

const remove = userForm(`${keysPath}:id/delete/`, async ({ params, services, call }) => {
  await services.identity.deleteApiKey({ id: params.id ?? '' }, call)
  return { to: `${keysPath}?done=deleted` }
})

export const apiKeyPages: Route[] = [show, create, askDelete, remove]

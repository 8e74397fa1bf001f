import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { scriptModel, withoutAi } from '../src/ai.js'
import { type Client, client, type Refusal } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import {
  code,
  newAnalysis,
  newFigure,
  newOrganization,
  newWorkspace,
  publish,
} from '../src/publish.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'

type Item = {
  period: string
  username: string
  workspace: string
  model: string
  route: string
  requests: number
  input_tokens: number
  output_tokens: number
  estimated_tokens: number
}
type Usage = {
  period: string
  input_tokens: number
  output_tokens: number
  items: Item[]
  quota?: { tokens_per_month: number; tokens_left: number; renews_on: string } | null
}

const tokens = { input: 100, output: 7 }
const counted = { requests: 1, input_tokens: 100, output_tokens: 7, estimated_tokens: 0 }
const thisMonth = () => new Date().toISOString().slice(0, 7)
const nextMonth = () => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 19)
}

/** Asks about a text; the model reports `usage`. */
async function ask<T = { response: string }>(
  { api }: TestUser,
  workspace: string,
  status = 200,
  usage = tokens,
) {
  const prompt = `question ${randomUUID()}`
  await scriptModel(prompt, { text: ['It says means.'], usage })
  const body = { text: 'Means', prompt, workspace }
  return api.request<T>('POST', 'deep_insight/text_only/', { json: body, status })
}
const usageOf = async (api: Client, path = '') =>
  (await api.get<Usage>(`${path}ai_usage/`, 200)).body

async function join(by: TestUser, workspace: string, membership_type: string) {
  const person = await signUp()
  const { username } = person
  await by.api.post(`workspace/${workspace}/members/add/`, { username, membership_type }, 200)
  return person
}

describe('AI usage', { skip: withoutAi }, () => {
  let ann: TestUser
  let bob: TestUser
  let organization: string
  let workspace: string
  const item = (person: TestUser, more: Partial<Item> = {}): Item => ({
    period: thisMonth(),
    username: person.username,
    workspace,
    model: 'small',
    route: 'text_only',
    ...counted,
    ...more,
  })
  before(async () => {
    ann = await signUp()
    organization = (await newOrganization(ann.api)).api_id
    workspace = (await newWorkspace(ann.api, 'Usage', organization)).api_id
    bob = await join(ann, workspace, 'creator')
    for (const person of [ann, bob]) await ask(person, workspace)
  })

  test('users see their own usage, managers that of a workspace and of its organization', async () => {
    for (const person of [ann, bob]) {
      assert.deepEqual(await usageOf(person.api), {
        period: thisMonth(),
        input_tokens: 100,
        output_tokens: 7,
        items: [item(person)],
      })
    }
    const items = [ann, bob]
      .sort((a, b) => (a.username < b.username ? -1 : 1))
      .map((one) => item(one))
    for (const path of [`workspace/${workspace}/`, `organization/${organization}/`]) {
      const usage = await usageOf(ann.api, path)
      assert.deepEqual([usage.input_tokens, usage.output_tokens, usage.quota], [200, 14, null])
      assert.deepEqual(
        usage.items.sort((a, b) => (a.username < b.username ? -1 : 1)),
        items,
      )
    }
  })

  test('a question about a shared figure is paid by the workspace of the figure', async () => {
    const guest = await signUp()
    const paying = (await newWorkspace(ann.api)).api_id
    const analysis = await newAnalysis(ann.api, paying)
    const figure = await newFigure(ann.api, analysis.api_id, 'Means')
    const revision = await publish(ann.api, figure.api_id, [code(Buffer.from('plot(means)'))])
    const share = { username: guest.username, sharing_enabled: true }
    await ann.api.post(`analysis/${analysis.api_id}/share/user/`, share, 200)
    const prompt = `question ${randomUUID()}`
    await scriptModel(prompt, { text: ['It shows means.'], usage: tokens })
    await guest.api.post('deep_insight/', { figure_revision: revision.api_id, prompt }, 200)
    const items = [item(guest, { workspace: paying, route: 'ask' })]
    assert.deepEqual((await usageOf(ann.api, `workspace/${paying}/`)).items, items)
    assert.deepEqual((await usageOf(guest.api)).items, items)
    await guest.api.get(`workspace/${paying}/ai_usage/`, 403)
  })

  test('others see nothing of it', async () => {
    const stranger = await signUp()
    for (const path of [`workspace/${workspace}/`, `organization/${organization}/`]) {
      for (const person of [bob, stranger]) await person.api.get(`${path}ai_usage/`, 403)
      await client().get(`${path}ai_usage/`, 401)
    }
    await client().get('ai_usage/', 401)
    assert.deepEqual((await usageOf(stranger.api)).items, [])
    for (const [path, status] of [
      [`workspace/${randomUUID()}/`, 404],
      [`workspace/${organization}/`, 404],
      ['workspace/x/', 404],
    ] as const) {
      await ann.api.get(`${path}ai_usage/`, status)
    }
  })

  test('administrators see all', { skip: withoutStaff }, async () => {
    const staff = await signInStaff()
    for (const path of [`workspace/${workspace}/`, `organization/${organization}/`]) {
      assert.equal((await usageOf(staff, path)).input_tokens, 200)
    }
    await staff.get(`workspace/${randomUUID()}/ai_usage/`, 404)
    const { body } = await staff.get<Usage>('ai_usage/?all=true')
    const own = body.items.filter((one) => one.workspace === workspace)
    assert.equal(own.length, 2)
    assert.equal(
      body.items.reduce((sum, one) => sum + one.input_tokens, 0),
      body.input_tokens,
    )
    await ann.api.get('ai_usage/?all=true', 403)
  })

  test('a month without usage is empty, and a malformed one is refused', async () => {
    for (const path of ['', `workspace/${workspace}/`, `organization/${organization}/`]) {
      const { body } = await ann.api.get<Usage>(`${path}ai_usage/?period=2020-02`)
      assert.deepEqual([body.period, body.items, body.input_tokens], ['2020-02', [], 0])
      const own = await ann.api.get<Usage>(`${path}ai_usage/?period=${thisMonth()}`)
      assert.ok(own.body.items.length > 0)
      for (const period of ['2020', '2020-13', '2020-2', '0000-01', '2020-02-01', 'last', '%00']) {
        const refusal = await ann.api.get<Refusal>(`${path}ai_usage/?period=${period}`, 400)
        assert.deepEqual(
          refusal.body.errors?.map(({ field }) => field),
          ['period'],
        )
      }
    }
  })

  test('each version has the routes', async () => {
    for (const version of VERSIONS) {
      const api = client(version, bob.api.authorization)
      assert.deepEqual((await usageOf(api)).items, [item(bob)])
    }
  })

  test('usage is CSV if the client asks for it', async () => {
    const names = Object.keys(item(bob)).join()
    const line = Object.values(item(bob)).join()
    for (const [query, headers] of [
      ['', { accept: 'text/csv' }],
      ['?format=csv', undefined],
    ] as const) {
      const { text, headers: sent } = await bob.api.request('GET', `ai_usage/${query}`, {
        status: 200,
        ...(headers && { headers }),
      })
      assert.equal(sent.get('content-type'), 'text/csv; charset=utf-8')
      assert.equal(text, `${names}\r\n${line}\r\n`)
    }
    const refusal = await bob.api.get<Refusal>('ai_usage/?format=xml', 400)
    assert.equal(refusal.body.errors?.[0]?.field, 'format')
  })

  test('a workspace that leaves its organization keeps its usage, and so does the organization', async () => {
    const left = (await newWorkspace(ann.api, 'Leaving', organization)).api_id
    await ask(ann, left)
    await ann.api.patch(`workspace/${left}/`, { organization: null })
    await ask(ann, left)
    const [own] = (await usageOf(ann.api, `workspace/${left}/`)).items
    assert.deepEqual([own?.requests, own?.input_tokens], [2, 200])
    const { items } = await usageOf(ann.api, `organization/${organization}/`)
    assert.deepEqual(
      items.filter((one) => one.workspace === left),
      [item(ann, { workspace: left })],
    )
  })

  test('the export of an account has its usage, and the workspace keeps that of a deleted account', async () => {
    const leaver = await join(ann, workspace, 'creator')
    await ask(leaver, workspace)
    const { username, password } = leaver
    const { body } = await leaver.api.get<{ ai_usage: Item[] }>(`user/${username}/export/`)
    assert.deepEqual(body.ai_usage, [item(leaver)])
    const json = { password }
    await leaver.api.request('DELETE', `user/${username}/`, { json, status: 204 })
    const { items } = await usageOf(ann.api, `workspace/${workspace}/`)
    assert.deepEqual(
      items.filter((one) => one.username === username),
      [item(leaver)],
    )
  })

  describe('limits of a plan', { skip: withoutStaff }, () => {
    let staff: Client
    before(async () => {
      staff = await signInStaff()
    })
    const onPlan = async (terms: object) => {
      const name = `Plan ${randomUUID()}`
      const plan = await staff.post<{ api_id: string }>('plan/', {
        name,
        is_self_service: true,
        ...terms,
      })
      const { api_id } = await newWorkspace(ann.api)
      const json = { plan: plan.body.api_id }
      await ann.api.post(`workspace/${api_id}/subscription/`, json, 200)
      return api_id
    }

    test('beyond the quota: 429 with what is left, when it renews, and Retry-After', async () => {
      const limited = await onPlan({ monthly_token_quota: 1000 })
      await ask(ann, limited, 200, { input: 900, output: 99 })
      const { quota } = await usageOf(ann.api, `workspace/${limited}/`)
      assert.deepEqual(quota, {
        tokens_per_month: 1000,
        tokens_left: 1,
        renews_on: `${nextMonth()}.000000Z`,
      })
      const { body, headers } = await ask<Refusal>(ann, limited, 429)
      assert.equal(body.error, 'ai_quota_exceeded')
      assert.match(body.detail ?? '', /1 of 1000 AI tokens left .* renews in \d+ days?/)
      const seconds = (Date.parse(`${nextMonth()}Z`) - Date.now()) / 1000
      assert.ok(Math.abs(Number(headers.get('retry-after')) - seconds) < 60)
      assert.equal((await usageOf(ann.api, `workspace/${limited}/`)).input_tokens, 900)
    })

    test('beyond the rate: 429 with Retry-After of less than a minute; other users have their own', async () => {
      const limited = await onPlan({ deep_insight_rate: 1 })
      const other = await join(ann, limited, 'creator')
      await ask(ann, limited)
      const { body, headers } = await ask<Refusal>(ann, limited, 429)
      assert.equal(body.error, 'ai_rate_exceeded')
      const seconds = Number(headers.get('retry-after'))
      assert.ok(seconds > 0 && seconds <= 60)
      await ask(other, limited)
    })
  })
})

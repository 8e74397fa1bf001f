import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { lastPeriods } from '@figbase/kit/text'
import { type UsageItem, UsageService } from '@figbase/proto/ai-usage'
import { NodeType } from '@figbase/proto/catalog'
import { sql } from 'kysely'
import { type AiService, ann, bob, eve, startAi, until } from './ai-service.js'
import { failureOf } from './test-service.js'

const staff = actAs(user('root', true))
const thisMonth = new Date().toISOString().slice(0, 7)
const elsewhere = randomUUID()

let at: AiService
let usage: ReturnType<typeof clientOf>
const clientOf = (one: AiService) => one.service.client(UsageService)
before(async () => {
  at = await startAi({ env: { AI_ANSWER_RETENTION: '0s' } })
  usage = clientOf(at)
})
after(() => at[Symbol.asyncDispose]())
beforeEach(async () => {
  at.peers.terms = {}
  await sql`truncate ai_usage, ai_request, ai_quota`.execute(at.ctx.db)
})

type Row = {
  workspace?: string
  organization?: string | null
  period?: string
  username?: string
  model?: string
  route?: string
  input?: number
  output?: number
}

async function record(...rows: Row[]) {
  for (const row of rows) {
    const { workspace = at.peers.workspaceId, organization = null, period = '2026-05' } = row
    const { username = 'ann', model = 'small', route = 'ask', input = 10, output = 1 } = row
    await sql`
      insert into ai_usage values (${workspace}, ${`${period}-01`}, ${username}, ${organization}, ${model}, ${route},
                                   1, ${input}, ${output}, ${output})`.execute(at.ctx.db)
  }
}

const ofWorkspace = (more: object = {}) => ({
  id: at.peers.workspaceId,
  type: NodeType.WORKSPACE,
  period: '2026-05',
  ...more,
})
const ofOrganization = (more: object = {}) =>
  ofWorkspace({ id: at.peers.organizationId, type: NodeType.ORGANIZATION, ...more })
const short = ({ username, model, route, requests, inputTokens }: UsageItem) =>
  `${username} ${model} ${route} ${requests} ${inputTokens}`
const keyOf = ({ period, username, workspaceId, model, route }: UsageItem) =>
  [period, username, workspaceId, model, route].join(' ')

test('what a request used is in the list of its user, workspace and organization, in this month', async () => {
  at.model.next({ text: ['Means.'], usage: { input: 100, output: 7 } })
  await at.ask('What is it?')
  const item = {
    period: thisMonth,
    username: 'ann',
    workspaceId: at.peers.workspaceId,
    model: 'small',
    route: 'ask',
    requests: 1n,
    inputTokens: 100n,
    outputTokens: 7n,
    estimatedTokens: 0n,
  }
  for (const page of [
    await usage.listOwnUsage({}, ann),
    await usage.listContainerUsage(ofWorkspace({ period: '' }), ann),
    await usage.listContainerUsage(ofOrganization({ period: '' }), ann),
    await usage.listSiteUsage({}, staff),
  ]) {
    assert.deepEqual([page.period, page.inputTokens, page.outputTokens], [thisMonth, 100n, 7n])
    assert.deepEqual(
      page.items.map(({ $typeName, ...one }) => one),
      [item],
    )
  }
  const others = await usage.listOwnUsage({}, bob)
  assert.deepEqual([others.items, others.inputTokens, others.outputTokens], [[], 0n, 0n])
})

test('a request that runs is not counted yet', async () => {
  at.model.next({ text: ['One ', 'two.'], stallAfter: 1 })
  const leave = new AbortController()
  const asked = at.ask('What is it?', ann, leave.signal).catch(() => undefined)
  await until(async () => (await at.open()).length > 0, 'the request')
  assert.deepEqual((await usage.listOwnUsage({}, ann)).items, [])
  leave.abort()
  await asked
  await until(async () => (await at.open()).length === 0, 'the request to end')
  const [item] = (await usage.listOwnUsage({}, ann)).items
  assert.ok(item && item.inputTokens > 0n && item.estimatedTokens >= item.inputTokens)
})

test('a list has one item for each user, model and route', async () => {
  await record(
    { username: 'bob' },
    { route: 'compare' },
    { model: 'large' },
    {},
    { period: '2026-04' },
    { workspace: elsewhere },
  )
  const { items, inputTokens, outputTokens } = await usage.listContainerUsage(ofWorkspace(), ann)
  assert.deepEqual(items.map(short), [
    'ann large ask 1 10',
    'ann small ask 1 10',
    'ann small compare 1 10',
    'bob small ask 1 10',
  ])
  assert.deepEqual([inputTokens, outputTokens], [40n, 4n])
  const own = await usage.listOwnUsage({ period: '2026-05' }, ann)
  assert.equal(own.items.length, 4)
  assert.equal(own.items.filter(({ workspaceId }) => workspaceId === elsewhere).length, 1)
})

test('a workspace that moved keeps its usage, and its former organization what it used there', async () => {
  const former = randomUUID()
  const { organizationId: organization } = at.peers
  await record({}, { organization: former, input: 20 }, { organization, input: 40 })
  const own = await usage.listContainerUsage(ofWorkspace(), ann)
  assert.deepEqual(own.items.map(short), ['ann small ask 3 70'])
  const now = await usage.listContainerUsage(ofOrganization(), ann)
  assert.deepEqual(now.items.map(short), ['ann small ask 1 40'])
})

test('the totals are complete on the first page, and the pages have each item once', async () => {
  const routes = Array.from({ length: 25 }, (_, i) => `route-${i}`)
  await record(...routes.flatMap((route) => [{ route }, { route, workspace: elsewhere }]))
  const seen: string[] = []
  let left = 500n
  let pageToken = ''
  do {
    const page = await usage.listOwnUsage({ period: '2026-05', pageSize: 7, pageToken }, ann)
    assert.equal(page.inputTokens, left)
    left -= BigInt(page.items.length) * 10n
    seen.push(...page.items.map(keyOf))
    pageToken = page.nextPageToken
  } while (pageToken)
  assert.deepEqual([left, new Set(seen).size, seen.length], [0n, 50, 50])
})

test('the history of a user has all months, oldest first', async () => {
  await record({ period: '2026-05' }, { period: '2025-12' }, { username: 'bob' })
  const first = await usage.listUsageHistory({ pageSize: 1 }, ann)
  const { nextPageToken: pageToken } = first
  const second = await usage.listUsageHistory({ pageSize: 1, pageToken }, ann)
  assert.deepEqual(
    [first, second].flatMap(({ items }) => items.map(({ period }) => period)),
    ['2025-12', '2026-05'],
  )
  assert.equal(second.nextPageToken, '')
})

test('each of the last 12 months has its totals, for the user, the workspace and the organization', async () => {
  const periods = lastPeriods(13)
  const { organizationId: organization } = at.peers
  await record(
    { period: periods[0] ?? '' },
    { period: periods[1] ?? '', organization },
    { period: thisMonth, username: 'bob', organization },
    { period: thisMonth, organization, route: 'compare' },
    { period: thisMonth, workspace: elsewhere },
  )
  const inputOf = async (request: object, caller = ann) => {
    const { months } = await usage.listMonthlyTokens(request, caller)
    assert.deepEqual(
      months.map(({ period }) => period),
      periods.slice(1),
    )
    return months.map(({ inputTokens }) => Number(inputTokens))
  }
  const none = Array.from({ length: 10 }, () => 0)
  assert.deepEqual(await inputOf({}), [10, ...none, 20])
  assert.deepEqual(await inputOf(ofWorkspace()), [10, ...none, 20])
  assert.deepEqual(await inputOf(ofOrganization()), [10, ...none, 20])
  assert.deepEqual(await inputOf(ofWorkspace(), staff), [10, ...none, 20])
  const { code } = await failureOf(usage.listMonthlyTokens(ofWorkspace(), bob))
  assert.equal(code, Code.PermissionDenied)
})

test('services read the tokens of many holders in a month, each once', async () => {
  const { organizationId: organization, workspaceId } = at.peers
  await record(
    { organization },
    { organization, route: 'compare' },
    { username: 'bob' },
    { workspace: elsewhere, username: 'bob' },
    { period: '2026-04' },
  )
  const holderIds = [organization, workspaceId, randomUUID()]
  const { items } = await usage.listHolderTokens({ holderIds, period: '2026-05' }, actAsSystem())
  // What the workspace used while it belonged to the organization is paid by that.
  assert.deepEqual(
    new Map(items.map(({ holderId, tokens }) => [holderId, tokens])),
    new Map([
      [organization, 22n],
      [workspaceId, 11n],
    ]),
  )
  const { code } = await failureOf(usage.listHolderTokens({ holderIds }, ann))
  assert.equal(code, Code.PermissionDenied)
  for (const request of [
    { holderIds: ['x'] },
    { holderIds: Array.from({ length: 1001 }, () => workspaceId) },
    { holderIds, period: '2026' },
  ]) {
    const refused = await failureOf(usage.listHolderTokens(request, actAsSystem()))
    assert.equal(refused.code, Code.InvalidArgument)
  }
})

test('managers see a workspace or organization, staff all, and others only their own usage', async () => {
  await record({})
  for (const caller of [bob, eve]) {
    for (const request of [ofWorkspace(), ofOrganization()]) {
      const { code } = await failureOf(usage.listContainerUsage(request, caller))
      assert.equal(code, Code.PermissionDenied)
    }
    assert.deepEqual((await usage.listOwnUsage({ period: '2026-05' }, caller)).items, [])
  }
  const { code } = await failureOf(usage.listSiteUsage({}, ann))
  assert.equal(code, Code.PermissionDenied)
  const seen = await usage.listContainerUsage(ofWorkspace(), staff)
  assert.deepEqual(seen.items.map(short), ['ann small ask 1 10'])
  for (const request of [
    ofWorkspace({ id: elsewhere }),
    ofWorkspace({ id: 'x' }),
    ofWorkspace({ type: NodeType.ORGANIZATION }),
  ]) {
    assert.equal((await failureOf(usage.listContainerUsage(request, staff))).code, Code.NotFound)
  }
})

test('bad input is refused with the name of the member', async () => {
  for (const [call, field] of [
    [usage.listOwnUsage({ period: '2026-13' }, ann), 'period'],
    [usage.listContainerUsage(ofWorkspace({ period: 'x' }), eve), 'period'],
    [usage.listSiteUsage({ period: '2026' }, staff), 'period'],
    [usage.listOwnUsage({ pageToken: 'x' }, ann), 'page_token'],
    [usage.listContainerUsage(ofWorkspace({ type: NodeType.FIGURE }), ann), 'type'],
  ] as const) {
    assert.deepEqual((await failureOf(call)).fields, [field])
  }
})

test('the answer tells what is left of the quota, and when it renews', async () => {
  const unlimited = await usage.listContainerUsage(ofWorkspace(), ann)
  assert.equal(unlimited.quota, undefined)
  at.peers.terms = { monthlyTokenQuota: 10_000n }
  at.model.next({ text: ['Means.'], usage: { input: 100, output: 7 } })
  await at.ask('What is left?')
  const now = new Date()
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000
  for (const request of [ofWorkspace(), ofOrganization()]) {
    const { quota } = await usage.listContainerUsage(request, ann)
    assert.deepEqual((await usage.listMonthlyTokens(request, ann)).quota, quota)
    assert.deepEqual(
      [quota?.tokensPerMonth, quota?.tokensLeft, quota?.renewsOn?.seconds],
      [10_000n, 9893n, BigInt(nextMonth)],
    )
  }
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UsageService } from '@figbase/proto/ai-usage'
import type { RunningGateway } from '../src/index.js'
import { authorization, startEdge } from './start-edge.js'

const workspaceId = '00000000-0000-4000-8000-000000000001'
const period = '2026-11'
const usernames = ['ann', '=cmd()', 'a,b']
const seen: object[] = []

/** A page has one item. */
const pageOf = (pageToken: string) => {
  const index = Number(pageToken || '0')
  const item = {
    period,
    username: usernames[index] ?? '',
    workspaceId,
    model: 'small',
    route: 'ask',
  }
  const tokens = { inputTokens: 2n ** 40n, outputTokens: 7n, estimatedTokens: 0n }
  return {
    period,
    inputTokens: 3n * 2n ** 40n,
    outputTokens: 21n,
    items: [{ ...item, requests: 1n, ...tokens }],
    nextPageToken: index + 1 < usernames.length ? String(index + 1) : '',
  }
}

let gateway: RunningGateway
before(async () => {
  gateway = await startEdge((router) =>
    router.service(UsageService, {
      listOwnUsage: ({ period, pageToken }) => {
        seen.push({ period, pageToken })
        return pageOf(pageToken)
      },
      listContainerUsage: ({ pageToken }) => pageOf(pageToken),
    }),
  )
})
after(() => gateway[Symbol.asyncDispose]())

const fetchUsage = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${gateway.url}/api/v1/${path}`, {
    method,
    headers: { ...authorization(), ...headers },
  })

test('a list has the items of all pages, and the totals of the first one', async () => {
  const response = await fetchUsage('ai_usage/')
  assert.equal(response.headers.get('vary'), 'Accept, Accept-Encoding')
  const body = (await response.json()) as {
    period: string
    input_tokens: number
    output_tokens: number
    items: { username: string }[]
  }
  assert.deepEqual([body.period, body.input_tokens, body.output_tokens], [period, 3 * 2 ** 40, 21])
  assert.deepEqual(
    body.items.map(({ username }) => username),
    usernames,
  )
  // All pages are of the same month.
  assert.deepEqual(seen, [
    { period: '', pageToken: '' },
    { period, pageToken: '1' },
    { period, pageToken: '2' },
  ])
})

const lines = [
  'period,username,workspace,model,route,requests,input_tokens,output_tokens,estimated_tokens',
  `2026-11,ann,${workspaceId},small,ask,1,1099511627776,7,0`,
  `2026-11,"'=cmd()",${workspaceId},small,ask,1,1099511627776,7,0`,
  `2026-11,"a,b",${workspaceId},small,ask,1,1099511627776,7,0`,
  '',
]

for (const path of ['ai_usage/', `workspace/${workspaceId}/ai_usage/`]) {
  test(`${path} is CSV if the client asks for it, without formulas`, async () => {
    for (const [query, accept] of [
      ['', 'text/csv'],
      ['?format=csv', 'application/json'],
    ] as const) {
      const response = await fetchUsage(path + query, { accept })
      assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
      const disposition = 'attachment; filename="ai-usage-2026-11.csv"'
      assert.equal(response.headers.get('content-disposition'), disposition)
      assert.deepEqual((await response.text()).split('\r\n'), lines)
    }
    const json = await fetchUsage(`${path}?format=json`, { accept: 'text/csv' })
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/)
    const head = await fetchUsage(path, { accept: 'text/csv' }, 'HEAD')
    assert.deepEqual([head.status, await head.text()], [200, ''])
  })
}

test('an unknown format is refused', async () => {
  const response = await fetchUsage('ai_usage/?format=xml')
  assert.equal(response.status, 400)
  const { errors } = (await response.json()) as { errors: { field: string }[] }
  assert.equal(errors[0]?.field, 'format')
})

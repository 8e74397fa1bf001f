import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from '@connectrpc/connect'
import { exhausted, tooMany } from '@figbase/kit/errors'
import { CatalogService } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { SiteService } from '@figbase/proto/identity/site'
import { authorization, startEdge } from './start-edge.js'

const user = { username: 'ann', dateJoined: { seconds: 1n, nanos: 0 } }

test('a shutdown completes requests in flight and refuses new ones', async () => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const edge = await startEdge((router) =>
    router.service(IdentityService, {
      getUser: async () => {
        arrive()
        await finished
        return { user }
      },
    }),
  )
  const answer = fetch(`${edge.url}/api/v1/user/ann/`, { headers: authorization() })
  await arrived
  const stopped = edge[Symbol.asyncDispose]()
  await assert.rejects(fetch(`${edge.url}/healthz`))
  finish()
  const response = await answer
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('connection'), 'close')
  await stopped
})

test('sends the 401 on which clients refresh for an expired token', async () => {
  await using edge = await startEdge(() => {})
  const headers = authorization(-1000)
  const response = await fetch(`${edge.url}/api/v1.4.1/user/`, { headers })
  assert.equal(response.status, 401)
  assert.equal(((await response.json()) as { code: string }).code, 'token_not_valid')
})

test('sends 503 for an unavailable service and 504 after a timeout, without internal details', async () => {
  await using edge = await startEdge(
    (router) => {
      router.service(IdentityService, {
        getUser: (_, { signal }) => once(signal, 'abort').then(() => ({ user })),
      })
      router.service(CatalogService, {
        listNodes: () => {
          throw new ConnectError('connect ECONNREFUSED 10.0.0.1:4711', Code.Unavailable)
        },
        getNode: () => {
          throw new Error('select * from secrets')
        },
      })
    },
    { CALL_TIMEOUT: '50ms' },
  )
  for (const [path, status] of [
    ['user/ann/', 504],
    ['figure/', 503],
    ['figure/x/', 500],
  ] as const) {
    const response = await fetch(`${edge.url}/api/v1/${path}`, { headers: authorization() })
    assert.equal(response.status, status, path)
    assert.doesNotMatch(await response.text(), /10\.0\.0\.1|secrets/)
  }
})

test('info/ contains the settings, and omits them while identity is unavailable', async () => {
  const infoOf = async (routes: (router: ConnectRouter) => unknown) => {
    await using edge = await startEdge(routes)
    const response = await fetch(`${edge.url}/api/v1/info/`)
    assert.equal(response.status, 200)
    return (await response.json()) as { api_versions: string[]; ai_enabled?: boolean }
  }
  for (const aiEnabled of [true, false]) {
    const { ai_enabled } = await infoOf((router) =>
      router.service(SiteService, { getPublicSettings: () => ({ aiEnabled }) }),
    )
    assert.equal(ai_enabled, aiEnabled)
  }
  const info = await infoOf(() => {})
  assert.ok(info.api_versions.length > 0 && !('ai_enabled' in info))
})

test('trusts X-Forwarded-For only from trusted proxies', async () => {
  const ipOf = async (env: Record<string, string>) => {
    await using edge = await startEdge(() => {}, env)
    const headers = { 'x-forwarded-for': '203.0.113.7, 192.0.2.1' }
    const response = await fetch(`${edge.url}/api/v1/info/`, { headers })
    return ((await response.json()) as { your_ip: string }).your_ip
  }
  assert.equal(await ipOf({}), '127.0.0.1')
  assert.equal(await ipOf({ TRUSTED_PROXIES: '127.0.0.0/8' }), '192.0.2.1')
  assert.equal(await ipOf({ TRUSTED_PROXIES: '127.0.0.1, 192.0.2.0/24' }), '203.0.113.7')
})

test('sends the client address to the services, an IPv6 address as its /64', async () => {
  const seen: (string | null)[] = []
  const tell = (_: unknown, { requestHeader }: HandlerContext) => {
    seen.push(requestHeader.get('figbase-client-address'))
    return { tokens: {}, principal: { username: 'ann' }, user }
  }
  await using edge = await startEdge(
    (router) =>
      router.service(IdentityService, {
        issueToken: tell,
        authenticateApiKey: tell,
        getUser: tell,
      }),
    { TRUSTED_PROXIES: '127.0.0.1' },
  )
  const body = new URLSearchParams({ username: 'ann', password: 'x' })
  const lie = { 'figbase-client-address': '192.0.2.1' }
  await fetch(`${edge.url}/api/token/`, { method: 'POST', body, headers: lie })
  const headers = { authorization: 'Token x', 'x-forwarded-for': '2001:db8:1:2:3::4' }
  await fetch(`${edge.url}/api/v1/user/ann/`, { headers })
  assert.deepEqual(seen, ['127.0.0.1', '2001:db8:1:2::', '2001:db8:1:2::'])
})

test('sends 429 with Retry-After, of the service or the default', async () => {
  const allowance = { isExceeded: true, limit: 20, remaining: 0, resetMs: 41_200 }
  const refusals = [tooMany('too_many_failures', 'wait a minute', allowance), exhausted('busy', '')]
  await using edge = await startEdge((router) =>
    router.service(IdentityService, {
      issueToken: () => {
        throw refusals.shift()
      },
    }),
  )
  for (const expected of ['42', '5']) {
    const body = new URLSearchParams({ username: 'ann', password: 'x' })
    const response = await fetch(`${edge.url}/api/token/`, { method: 'POST', body })
    assert.equal(response.status, 429)
    assert.equal(response.headers.get('retry-after'), expected)
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
    await response.text()
  }
})

test('uses PUBLIC_URL as its public address', async () => {
  await using edge = await startEdge(() => {}, { PUBLIC_URL: 'https://figures.example.org/' })
  assert.equal(edge.url, 'https://figures.example.org')
  const response = await fetch(`http://127.0.0.1:${edge.port}/api/v1/openapi.json`)
  const { servers } = (await response.json()) as { servers: unknown }
  assert.deepEqual(servers, [{ url: 'https://figures.example.org' }])
})

test('does not start with invalid settings, and lists all of them', async () => {
  const env = { PORT: 'x', TRUSTED_PROXIES: '10.0.0.0/99', CALL_TIMEOUT: '5' }
  await assert.rejects(
    startEdge(() => {}, env),
    /PORT.*CALL_TIMEOUT/s,
  )
  await assert.rejects(
    startEdge(() => {}, { TRUSTED_PROXIES: 'nonsense' }),
    /TRUSTED_PROXIES/,
  )
})

test('the link of an invitation leads to the sign-in, and shows no details of the invitation', async () => {
  await using edge = await startEdge((router) => {
    router.service(SiteService, { getPublicSettings: () => ({ signUpEnabled: true }) })
  })
  const token = encodeURIComponent('"><script>alert(1)</script>')
  const response = await fetch(`${edge.url}/invitations/workspace/${token}`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'sha256-/)
  const page = await response.text()
  assert.match(page, /<h1>You are invited<\/h1>/)
  assert.doesNotMatch(page, /<script>/)
})

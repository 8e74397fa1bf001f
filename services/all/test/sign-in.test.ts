import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createBrowser,
  type OpenIdProvider,
  signInAtProvider,
  signInByDevice,
  startOpenIdProvider,
  type TestDatabase,
} from '@figbase/kit/testing'
import { createGrpcClient } from '@figbase/kit/testing/grpc'
import { program } from './support/author.js'
import { Bench, type Launched } from './support/launched.js'
import { createMigratedDatabase } from './support/migrated-database.js'

const bench = new Bench(program)
let provider: OpenIdProvider
let database: TestDatabase
let product: Launched

before(async () => {
  provider = await startOpenIdProvider()
  database = await createMigratedDatabase()
  const env = {
    ...provider.settings,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'trace',
    RPC_PORT: '0',
  }
  product = await bench.start({ dataDir: await bench.dir(), env })
})
after(async () => {
  await bench[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
})

const whoAmI = async (token: string) => {
  const port = Number(/port (\d+)/.exec(product.output)?.[1])
  const service = 'figbase.identity.v1.IdentityService'
  using grpc = createGrpcClient(port, 'figbase/identity/v1/identity.proto', service, token)
  const { user } = await grpc.unary('GetUser', { username: 'grace' })
  return user as { private?: { email: string } }
}

test('accepts an access token of the provider over gRPC', async () => {
  const { access, id } = await signInByDevice(provider, 'grace')
  assert.equal((await whoAmI(access)).private?.email, 'grace@example.org')
  const unauthenticated = { code: 16 }
  await assert.rejects(whoAmI(id), unauthenticated)
  await assert.rejects(whoAmI(`${access}x`), unauthenticated)
})

test('logs no secret of a sign-in at any log level', async () => {
  const visitor = createBrowser()
  const secrets = new Map<string, string>()
  const note = () => {
    for (const [name, { value }] of visitor.cookies) {
      if (name.startsWith('figbase-')) secrets.set(name, value)
    }
  }
  const begun = await visitor.send(`${product.url}/sign-in/sso/`)
  note()
  const at = new URL(begun.headers.get('location') ?? '')
  for (const name of ['state', 'nonce', 'code_challenge']) {
    secrets.set(name, at.searchParams.get(name) ?? '')
  }
  const end = await signInAtProvider(visitor, await visitor.visit(at), provider.issuer, 'grace')
  assert.match(end.text, /<bdi>grace<\/bdi>/)
  note()
  const { access, id } = await signInByDevice(provider, 'grace')
  secrets.set('access token', access).set('ID token', id)
  const answer = await fetch(`${product.url}/api/v1/user/`, {
    headers: { authorization: `Bearer ${access}` },
  })
  assert.equal(answer.status, 200)

  // Failures are logged in more detail.
  const code = 'a-code-that-the-provider-does-not-know'
  secrets.set('code', code)
  const other = createBrowser()
  const again = await other.send(`${product.url}/sign-in/sso/`)
  const state = new URL(again.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const query = new URLSearchParams({ code, state, iss: provider.issuer })
  assert.equal((await other.visit(`${product.url}/sign-in/callback/?${query}`)).status, 403)
  const last = await other.send(`${product.url}/sign-in/sso/`)
  const lastState = new URL(last.headers.get('location') ?? '').searchParams.get('state') ?? ''
  await provider.stop()
  query.set('state', lastState)
  assert.equal((await other.visit(`${product.url}/sign-in/callback/?${query}`)).status, 503)
  await provider.start()

  assert.equal(await product.stop(), 0)
  assert.match(product.output, /"path":"\/sign-in\/callback\/"/)
  assert.match(product.output, /request to the identity provider failed/)
  secrets
    .set('client secret', provider.settings.OIDC_CLIENT_SECRET ?? '')
    .set('last state', lastState)
  assert.ok(secrets.size >= 10, [...secrets.keys()].join())
  for (const [name, secret] of secrets) {
    assert.ok(secret.length > 10, name)
    assert.ok(!product.output.includes(secret), `the log has the ${name}`)
  }
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import {
  type Browser,
  type BrowserPage,
  createBrowser,
  signInAtProvider,
  signInByDevice,
} from '@figbase/kit/testing'
import { client, type Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { png } from '../src/images.js'
import { file, image, newPlace, publish } from '../src/publish.js'
import type { User } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

const { issuer = '' } = deployment
const skip = issuer === '' && 'needs a deployment with the OpenID Connect provider of the tests'

const newName = () => `grace${randomBytes(6).toString('hex')}`
const at = (path: string) => new URL(path, deployment.origin)

let alice: TestUser
/** The page of a revision that only Alice may view. */
let page: string

before(async () => {
  alice = await signUp()
  const { figure } = await newPlace(alice.api)
  const data = [image(png(60, 40)), file(Buffer.from('secret bytes'), 'raw.bin')]
  const { api_id } = await publish(alice.api, figure.api_id, data)
  page = `/r/${api_id}`
})

/** A browser, signed in with a password. */
async function signedIn({ username, password }: TestUser = alice, next = page): Promise<Browser> {
  const visitor = createBrowser()
  const form = await visitor.visit(at(`/sign-in/?next=${next}`))
  const shown = await visitor.submit(form, { username, password })
  assert.equal(shown.url.pathname, next)
  assert.equal(shown.status, 200, shown.text)
  return visitor
}

const sessionOf = ({ cookies }: Browser) => {
  const session = cookies.get('figbase-session')
  assert.ok(session, 'there should be a session cookie')
  return session
}

const isSignedOut = async (visitor: Browser) => (await visitor.visit(at(page))).status === 401

/** A browser after the redirect from the provider, before it requests the callback. */
async function returnFromProvider(visitor: Browser, name: string, next = page): Promise<URL> {
  const begun = await visitor.send(at(`/sign-in/sso/?next=${encodeURIComponent(next)}`))
  assert.equal(begun.status, 303)
  let hop = await visitor.send(begun.headers.get('location') ?? '')
  for (;;) {
    const location = hop.headers.get('location')
    if (location) {
      const url = new URL(location, hop.url)
      if (url.origin === deployment.origin.origin) return url
      hop = await visitor.send(url)
    } else {
      assert.ok(hop.text.includes('<form'), hop.text)
      hop = await submitLogin(visitor, hop, name)
    }
  }
}

function submitLogin(visitor: Browser, shown: BrowserPage, name: string) {
  const asksWho = shown.text.includes('name="login"')
  const prompt = asksWho ? `prompt=login&login=${name}&password=x` : 'prompt=consent'
  return visitor.send(shown.url, { method: 'POST', body: new URLSearchParams(prompt) })
}

test('accepts an access token of the provider, and creates the account', {
  skip,
}, async () => {
  const name = newName()
  const { access } = await signInByDevice({ issuer }, name)
  const api = client(LATEST, `Bearer ${access}`)
  const { body } = await api.get<User[]>('user/')
  const [user] = body
  assert.equal(user?.username, name)
  assert.equal(user.using_auth0, true)
  assert.equal(user.email, `${name}@example.org`)
  const { body: workspaces } = await api.get<{ workspace_type: string }[]>('workspace/')
  assert.deepEqual(
    workspaces.map(({ workspace_type: type }) => type),
    ['primary'],
  )
})

test('rejects tokens that the provider signed for other purposes', { skip }, async () => {
  const { id } = await signInByDevice({ issuer }, newName())
  const other = await signInByDevice({ issuer }, newName(), 'https://another.example/api')
  for (const token of [id, other.access]) {
    const { body } = await client(LATEST, `Bearer ${token}`).get<Refusal>('user/', 401)
    assert.equal(body.code, 'token_not_valid')
  }
})

test('info/ contains the address of the provider', { skip }, async () => {
  const { body } = await client().get<Record<string, string>>('info/')
  assert.equal(body.auth0_domain, new URL(issuer).host)
  assert.equal(body.auth0_spa_client_id, 'figbase-web')
  assert.equal(body.auth0_cli_client_id, 'figbase-cli')
  assert.equal(body.auth0_audience, 'https://figbase.test/api')
})

test('sign-in by browser and by device lead to the same account', { skip }, async () => {
  const name = newName()
  const visitor = createBrowser()
  const form = await visitor.visit(at('/sign-in/'))
  assert.match(form.text, /Sign in with <bdi>Example University<\/bdi>/)
  const begun = await visitor.visit(at('/sign-in/sso/'))
  const end = await signInAtProvider(visitor, begun, issuer, name)
  assert.equal(end.url.href, at('/').href)
  assert.match(end.text, new RegExp(`<a href="/account/"><bdi>${name}</bdi>`))
  assert.ok(!visitor.cookies.has('figbase-sign-in'), 'the sign-in cookie should be removed')
  const { access } = await signInByDevice({ issuer }, name)
  const { body } = await client(LATEST, `Bearer ${access}`).get<User[]>('user/')
  assert.equal(body[0]?.username, name)
})

test('a browser with a session shows what the user may view, until sign-out', async () => {
  const visitor = createBrowser()
  const refused = await visitor.visit(at(page))
  assert.equal(refused.status, 401)
  const [, way = ''] = /<a href="(\/sign-in\/[^"]+)">Sign in</.exec(refused.text) ?? []
  const form = await visitor.visit(at(way))
  const wrong = await visitor.submit(form, { username: alice.username, password: 'wrong horse' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /Wrong username or password, or the account is inactive/)
  assert.ok(!visitor.cookies.has('figbase-session'))
  const shown = await visitor.submit(wrong, { password: alice.password })
  assert.equal(shown.url.href, at(page).href)
  assert.equal(shown.status, 200)
  const [, src = ''] = /<img src="([^"]+\/picture\/[^"]+)"/.exec(shown.text) ?? []
  const picture = src.replaceAll('&amp;', '&')
  assert.equal((await visitor.visit(at(picture))).headers.get('content-type'), 'image/png')
  assert.equal((await createBrowser().visit(at(picture))).status, 401)
  assert.match(shown.headers.get('vary') ?? '', /cookie/i)
  assert.match(shown.headers.get('cache-control') ?? '', /private, no-store/)
  const [, raw = ''] = /<a href="(\/data\/[^"]+)"><bdi>raw\.bin/.exec(shown.text) ?? []
  const download = await visitor.visit(at(raw))
  assert.equal(download.text, 'secret bytes')
  assert.match(download.headers.get('content-disposition') ?? '', /^attachment/)
  assert.equal((await createBrowser().visit(at(raw))).status, 401)

  const { value } = sessionOf(visitor)
  const signedOut = await visitor.submit(await visitor.visit(at('/sign-in/')))
  assert.match(signedOut.text, /<h1>Sign in<\/h1>/)
  assert.ok(!visitor.cookies.has('figbase-session'))
  visitor.cookies.set('figbase-session', { value, path: '/', attributes: '' })
  assert.ok(await isSignedOut(visitor), 'a copy of the cookie should be invalid')
})

test('the session cookie is not accessible to scripts and other sites', async () => {
  const { attributes } = sessionOf(await signedIn())
  for (const attribute of [/; HttpOnly/, /; SameSite=Lax/, /; Path=\//, /; Max-Age=\d+/]) {
    assert.match(attributes, attribute)
  }
})

test('the API ignores cookies, and rejects sessions as tokens', async () => {
  const { value } = sessionOf(await signedIn())
  const cookie = `figbase-session=${value}`
  const answer = await fetch(at(`/api/${LATEST}/user/`), { headers: { cookie } })
  assert.equal(answer.status, 401)
  assert.equal(((await answer.json()) as Refusal).code, 'not_authenticated')
  await client(LATEST, `Bearer ${value}`).get('user/', 401)
  const refresh = { refresh: value }
  await client().request('POST', '/api/token/refresh/', { json: refresh, status: 401 })
  const { access } = alice.tokens
  const asCookie = { cookie: `figbase-session=${access}` }
  assert.equal((await fetch(at(page), { headers: asCookie })).status, 401)
})

test('each sign-in creates a new session', async () => {
  const mallory = await signedIn()
  const planted = sessionOf(mallory)
  const visitor = createBrowser()
  visitor.cookies.set('figbase-session', planted)
  const body = new URLSearchParams({ username: alice.username, password: alice.password })
  const headers = { origin: deployment.origin.origin }
  const answer = await visitor.send(at('/sign-in/'), { method: 'POST', body, headers })
  assert.equal(answer.status, 303)
  assert.notEqual(sessionOf(visitor).value, planted.value)
})

test('a new password ends all browser sessions', async () => {
  const bob = await signUp()
  const browsers = [await signedIn(bob, '/sign-in/'), await signedIn(bob, '/sign-in/')]
  await bob.api.patch(`user/${bob.username}/`, { password: 'another horse battery' })
  for (const visitor of browsers) {
    assert.match((await visitor.visit(at('/sign-in/'))).text, /<h1>Sign in<\/h1>/)
  }
})

test('other sites cannot sign users in or out', async () => {
  const visitor = await signedIn()
  const { username, password } = alice
  for (const [path, body] of [
    ['/sign-in/', new URLSearchParams({ username, password })],
    ['/sign-out/', new URLSearchParams({})],
  ] as const) {
    const origins: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: deployment.origin.origin, 'sec-fetch-site': 'cross-site' },
      {},
    ]
    for (const headers of origins) {
      const answer = await visitor.send(at(path), { method: 'POST', body, headers })
      assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}`)
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
  }
  assert.ok(!(await isSignedOut(visitor)))
})

test('only the browser that started a sign-in can complete it, and only once', {
  skip,
}, async () => {
  const victim = createBrowser()
  const mallory = createBrowser()
  const callback = await returnFromProvider(mallory, newName())
  const stolen = mallory.cookies.get('figbase-sign-in')
  assert.ok(stolen)

  const without = await victim.visit(callback)
  assert.equal(without.status, 409, 'login CSRF: a callback link opened in another browser')
  await returnFromProvider(victim, newName())
  const withAnother = await victim.visit(callback)
  assert.equal(withAnother.status, 409, 'with the cookie of another flow')
  assert.ok(!victim.cookies.has('figbase-session'))

  const finished = await mallory.send(callback)
  assert.equal(finished.status, 303)
  assert.equal(finished.headers.get('location'), page)
  mallory.cookies.set('figbase-sign-in', stolen)
  assert.equal((await mallory.visit(callback)).status, 409, 'a replayed callback with the cookie')
})

test('a code is valid only for its own sign-in', { skip }, async () => {
  const [one, other] = [createBrowser(), createBrowser()]
  const [first, second] = [
    await returnFromProvider(one, newName()),
    await returnFromProvider(other, newName()),
  ]
  const swapped = new URL(first)
  swapped.searchParams.set('code', second.searchParams.get('code') ?? '')
  const answer = await one.visit(swapped)
  assert.equal(answer.status, 403)
  assert.match(answer.text, /The identity provider rejected the sign-in/)
  assert.ok(!one.cookies.has('figbase-session'))
  for (const [name, value, status] of [
    ['state', 'x', 409],
    ['state', '', 409],
    ['iss', 'https://evil.example', 403],
  ] as const) {
    const visitor = createBrowser()
    const changed = await returnFromProvider(visitor, newName())
    changed.searchParams.set(name, value)
    const answer = await visitor.visit(changed)
    assert.equal(answer.status, status, name)
    assert.ok(!visitor.cookies.has('figbase-session'))
  }
})

test('shows a message if the user declines at the provider', { skip }, async () => {
  const visitor = createBrowser()
  const callback = await returnFromProvider(visitor, newName())
  callback.searchParams.delete('code')
  callback.searchParams.set('error', 'access_denied')
  const answer = await visitor.visit(callback)
  assert.equal(answer.status, 403)
  assert.match(answer.text, /Sign-in failed/)
})

test('redirects only to this site after a sign-in', async () => {
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'https:evil.example',
    '/\t/evil.example',
    '%2F%2Fevil.example',
    '/%09/evil.example',
    '/%2F/evil.example',
    '/%5Cevil.example',
    'javascript:alert(1)',
    '/r/x\r\nset-cookie: figbase-session=x',
  ]) {
    const { username, password } = alice
    const visitor = createBrowser()
    const headers = { origin: deployment.origin.origin }
    const body = new URLSearchParams({ username, password, next })
    const answer = await visitor.send(at('/sign-in/'), { method: 'POST', body, headers })
    assert.equal(answer.status, 303)
    const to = new URL(answer.headers.get('location') ?? '', deployment.origin)
    assert.equal(to.origin, deployment.origin.origin, next)
    const shown = await createBrowser().visit(at(`/sign-in/?next=${encodeURIComponent(next)}`))
    assert.doesNotMatch(shown.text, /href="(?!#main"|\/(?!\/)|data:image)/)
  }
})

test('redirects only to this site after a sign-in with the provider', { skip }, async () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/']) {
    const visitor = createBrowser()
    const answer = await visitor.send(await returnFromProvider(visitor, newName(), next))
    assert.equal(answer.headers.get('location'), '/')
  }
})

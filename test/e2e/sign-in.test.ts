import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import {
  createVisitor,
  signInAtProvider,
  signInByDevice,
  type Visited,
  type Visitor,
} from '@figbase/kit/testing'
import { client, type Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { type Person, signUp } from '../src/people.js'
import { png } from '../src/pictures.js'
import { file, image, newPlace, publish } from '../src/publish.js'
import type { User } from '../src/resources.js'

const { issuer = '' } = deployment
const skip = issuer === '' && 'needs a deployment with the OpenID Connect provider of the tests'

const newName = () => `grace${randomBytes(6).toString('hex')}`
const at = (path: string) => new URL(path, deployment.origin)

let alice: Person
/** The page of a revision that only alice may view. */
let page: string

before(async () => {
  alice = await signUp()
  const { figure } = await newPlace(alice.api)
  const data = [image(png(60, 40)), file(Buffer.from('secret bytes'), 'raw.bin')]
  const { api_id } = await publish(alice.api, figure.api_id, data)
  page = `/r/${api_id}`
})

/** A browser in which somebody has signed in with a password. */
async function signedIn({ username, password }: Person = alice, next = page): Promise<Visitor> {
  const visitor = createVisitor()
  const form = await visitor.visit(at(`/sign-in/?next=${next}`))
  const shown = await visitor.submit(form, { username, password })
  assert.equal(shown.url.pathname, next)
  assert.equal(shown.status, 200, shown.text)
  return visitor
}

const sessionOf = ({ cookies }: Visitor) => {
  const session = cookies.get('figbase-session')
  assert.ok(session, 'there is a session')
  return session
}

const isSignedOut = async (visitor: Visitor) => (await visitor.visit(at(page))).status === 401

/** A browser that came back from the provider, before the callback is answered. */
async function comeBack(visitor: Visitor, name: string, next = page): Promise<URL> {
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
      hop = await fill(visitor, hop, name)
    }
  }
}

function fill(visitor: Visitor, shown: Visited, name: string) {
  const asksWho = shown.text.includes('name="login"')
  const prompt = asksWho ? `prompt=login&login=${name}&password=x` : 'prompt=consent'
  return visitor.send(shown.url, { method: 'POST', body: new URLSearchParams(prompt) })
}

test('an access token of the provider is accepted, and its person has an account', {
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

test('what the provider signed for anything else is no access token', { skip }, async () => {
  const { id } = await signInByDevice({ issuer }, newName())
  const other = await signInByDevice({ issuer }, newName(), 'https://another.example/api')
  for (const token of [id, other.access]) {
    const { body } = await client(LATEST, `Bearer ${token}`).get<Refusal>('user/', 401)
    assert.equal(body.code, 'token_not_valid')
  }
})

test('info/ tells clients where to sign in', { skip }, async () => {
  const { body } = await client().get<Record<string, string>>('info/')
  assert.equal(body.auth0_domain, new URL(issuer).host)
  assert.equal(body.auth0_spa_client_id, 'figbase-web')
  assert.equal(body.auth0_cli_client_id, 'figbase-cli')
  assert.equal(body.auth0_audience, 'https://figbase.test/api')
})

test('who signs in by browser has the account that they have by device', { skip }, async () => {
  const name = newName()
  const visitor = createVisitor()
  const form = await visitor.visit(at('/sign-in/'))
  assert.match(form.text, /Sign in with <bdi>Example University<\/bdi>/)
  const begun = await visitor.visit(at('/sign-in/sso/'))
  const end = await signInAtProvider(visitor, begun, issuer, name)
  assert.equal(end.url.href, at('/sign-in/').href)
  assert.match(end.text, new RegExp(`As <bdi>${name}</bdi>`))
  assert.ok(!visitor.cookies.has('figbase-sign-in'), 'the flow is over')
  const { access } = await signInByDevice({ issuer }, name)
  const { body } = await client(LATEST, `Bearer ${access}`).get<User[]>('user/')
  assert.equal(body[0]?.username, name)
})

test('a browser with a session is shown what its person may view, until it signs out', async () => {
  const visitor = createVisitor()
  const refused = await visitor.visit(at(page))
  assert.equal(refused.status, 401)
  const [, way = ''] = /<a href="(\/sign-in\/[^"]+)">Sign in</.exec(refused.text) ?? []
  const form = await visitor.visit(at(way))
  const wrong = await visitor.submit(form, { username: alice.username, password: 'wrong horse' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /No active account has this username and password/)
  assert.ok(!visitor.cookies.has('figbase-session'))
  const shown = await visitor.submit(wrong, { password: alice.password })
  assert.equal(shown.url.href, at(page).href)
  assert.equal(shown.status, 200)
  assert.match(shown.text, /<img src="data:image\/png/)
  assert.match(shown.headers.get('vary') ?? '', /cookie/i)
  assert.match(shown.headers.get('cache-control') ?? '', /private, no-store/)
  const [, raw = ''] = /<a href="(\/data\/[^"]+)"><bdi>raw\.bin/.exec(shown.text) ?? []
  const download = await visitor.visit(at(raw))
  assert.equal(download.text, 'secret bytes')
  assert.match(download.headers.get('content-disposition') ?? '', /^attachment/)
  assert.equal((await createVisitor().visit(at(raw))).status, 401)

  const { value } = sessionOf(visitor)
  const signedOut = await visitor.submit(await visitor.visit(at('/sign-in/')))
  assert.match(signedOut.text, /<h1>Sign in<\/h1>/)
  assert.ok(!visitor.cookies.has('figbase-session'))
  visitor.cookies.set('figbase-session', { value, path: '/', attributes: '' })
  assert.ok(await isSignedOut(visitor), 'a copy of the cookie is worth nothing any more')
})

test('the cookie of a session is out of reach for scripts and other sites', async () => {
  const { attributes } = sessionOf(await signedIn())
  for (const attribute of [/; HttpOnly/, /; SameSite=Lax/, /; Path=\//, /; Max-Age=\d+/]) {
    assert.match(attributes, attribute)
  }
})

test('the API knows no cookies, and no session passes for a token', async () => {
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

test('who signs in gets a session of their own, whatever the browser had', async () => {
  const mallory = await signedIn()
  const planted = sessionOf(mallory)
  const visitor = createVisitor()
  visitor.cookies.set('figbase-session', planted)
  const body = new URLSearchParams({ username: alice.username, password: alice.password })
  const headers = { origin: deployment.origin.origin }
  const answer = await visitor.send(at('/sign-in/'), { method: 'POST', body, headers })
  assert.equal(answer.status, 303)
  assert.notEqual(sessionOf(visitor).value, planted.value)
})

test('a new password ends the sessions of all browsers', async () => {
  const bob = await signUp()
  const browsers = [await signedIn(bob, '/sign-in/'), await signedIn(bob, '/sign-in/')]
  await bob.api.patch(`user/${bob.username}/`, { password: 'another horse battery' })
  for (const visitor of browsers) {
    assert.match((await visitor.visit(at('/sign-in/'))).text, /<h1>Sign in<\/h1>/)
  }
})

test('no other site can sign anybody in or out', async () => {
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

test('only the browser that began a sign-in can finish it, and once', { skip }, async () => {
  const victim = createVisitor()
  const mallory = createVisitor()
  const callback = await comeBack(mallory, newName())
  const stolen = mallory.cookies.get('figbase-sign-in')
  assert.ok(stolen)

  const without = await victim.visit(callback)
  assert.equal(without.status, 409, 'login CSRF: the link of a callback, sent to somebody else')
  await comeBack(victim, newName())
  const withAnother = await victim.visit(callback)
  assert.equal(withAnother.status, 409, 'with the cookie of another flow')
  assert.ok(!victim.cookies.has('figbase-session'))

  const finished = await mallory.send(callback)
  assert.equal(finished.status, 303)
  assert.equal(finished.headers.get('location'), page)
  mallory.cookies.set('figbase-sign-in', stolen)
  assert.equal((await mallory.visit(callback)).status, 409, 'replayed, with the cookie')
})

test('a code is good for the flow that it was asked for alone', { skip }, async () => {
  const [one, other] = [createVisitor(), createVisitor()]
  const [first, second] = [await comeBack(one, newName()), await comeBack(other, newName())]
  const swapped = new URL(first)
  swapped.searchParams.set('code', second.searchParams.get('code') ?? '')
  const answer = await one.visit(swapped)
  assert.equal(answer.status, 403)
  assert.match(answer.text, /The identity provider did not sign you in/)
  assert.ok(!one.cookies.has('figbase-session'))
  for (const [name, value, status] of [
    ['state', 'x', 409],
    ['state', '', 409],
    ['iss', 'https://evil.example', 403],
  ] as const) {
    const visitor = createVisitor()
    const changed = await comeBack(visitor, newName())
    changed.searchParams.set(name, value)
    const answer = await visitor.visit(changed)
    assert.equal(answer.status, status, name)
    assert.ok(!visitor.cookies.has('figbase-session'))
  }
})

test('who declines at the provider is told so', { skip }, async () => {
  const visitor = createVisitor()
  const callback = await comeBack(visitor, newName())
  callback.searchParams.delete('code')
  callback.searchParams.set('error', 'access_denied')
  const answer = await visitor.visit(callback)
  assert.equal(answer.status, 403)
  assert.match(answer.text, /You are not signed in/)
})

test('a sign-in leads on to this site only', async () => {
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
    const visitor = createVisitor()
    const headers = { origin: deployment.origin.origin }
    const body = new URLSearchParams({ username, password, next })
    const answer = await visitor.send(at('/sign-in/'), { method: 'POST', body, headers })
    assert.equal(answer.status, 303)
    const to = new URL(answer.headers.get('location') ?? '', deployment.origin)
    assert.equal(to.origin, deployment.origin.origin, next)
    const shown = await createVisitor().visit(at(`/sign-in/?next=${encodeURIComponent(next)}`))
    assert.doesNotMatch(shown.text, /href="(?!\/(?!\/)|data:image)/)
  }
})

test('neither does one with the provider', { skip }, async () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/']) {
    const visitor = createVisitor()
    const answer = await visitor.send(await comeBack(visitor, newName(), next))
    assert.equal(answer.headers.get('location'), '/sign-in/')
  }
})

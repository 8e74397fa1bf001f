import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { client, messageOf, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { pngOf, pngSize } from '../src/images.js'
import { linkIn, mailsTo, mailTo, withoutMail } from '../src/mails.js'
import type { Tokens, User } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
before(async () => {
  alice = await signUp()
  bob = await signUp()
})

const pathOf = ({ username }: TestUser) => `user/${username}/`
const read = async (person: TestUser) => (await person.api.get<User>(pathOf(person))).body

for (const version of VERSIONS) {
  test(`${version}: accepts the whole user, including read-only members`, async () => {
    const me = alice.at(version)
    const before = await read(alice)
    const body = {
      ...before,
      date_joined: '2001-01-01 00:00:00',
      is_staff: true,
      is_active: false,
      email_confirmed: true,
      using_auth0: true,
      password: null,
      avatar: null,
      unknown: { a: 1 },
    }
    for (const method of ['PUT', 'PATCH'] as const) {
      const { body: after } = await me.request<User>(method, pathOf(alice), { json: body })
      assert.deepEqual(after, before)
    }
    assert.deepEqual(await read(alice), before)
  })
}

test('accepts empty names, and keeps omitted members', async () => {
  const me = await signUp()
  const { body } = await me.api.put<User>(pathOf(me), { first_name: '', last_name: 'Ł' })
  assert.deepEqual([body.first_name, body.last_name], ['', 'Ł'])
  const { body: next } = await me.api.patch<User>(pathOf(me).slice(0, -1), {})
  assert.deepEqual(next, body)
})

test('returns the profile unchanged, with exact numbers and order', async () => {
  const me = await signUp()
  const write = async (raw: string) => {
    await me.api.request('PATCH', pathOf(me), { raw, status: 200 })
    const { text } = await me.api.get(pathOf(me))
    return /"user_profile":(.*)\}$/s.exec(text)?.[1]
  }
  const profile = '{"z":9007199254740993,"ui_data":{"b":1.10,"a":[]},"1":true}'
  assert.equal(await write(`{"user_profile": ${profile}}`), profile)
  assert.equal(
    await write('{"user_profile": {"ui_data": {"c": null}}}'),
    '{"z":9007199254740993,"ui_data":{"c": null},"1":true}',
  )
})

test('returns the avatar as base64 PNG, also to others, until it is removed', async () => {
  const me = await signUp()
  const rows = randomBytes(400 * (1 + 800 * 3)).map((byte, at) => (at % (1 + 800 * 3) ? byte : 0))
  const png = pngOf(800, 400, Buffer.from(rows))
  assert.ok(png.length > 900_000)
  const avatar = png.toString('base64')
  const { body } = await me.api.patch<User>(pathOf(me), { avatar })
  const size = pngSize(Buffer.from(body.avatar ?? '', 'base64'))
  assert.deepEqual(size, { width: 512, height: 256 })
  assert.equal((await bob.api.get<User>(pathOf(me))).body.avatar, body.avatar)
  assert.equal((await me.api.put<User>(pathOf(me), body)).body.avatar, body.avatar)
  for (const none of ['', null]) {
    await me.api.patch(pathOf(me), { avatar })
    assert.equal((await me.api.patch<User>(pathOf(me), { avatar: none })).body.avatar, null)
  }
})

test('sends 403 for another username in the body and for other accounts', async () => {
  const before = await read(alice)
  const renamed = { ...before, username: `${alice.username}2` }
  await alice.api.put(pathOf(alice), renamed, 403)
  for (const path of [pathOf(alice), 'user/nobody-of-that-name/', 'user/%00/']) {
    await bob.api.put(path, { first_name: 'Eve' }, 403)
    await bob.api.patch(path, { first_name: 5 }, 403)
    await client(LATEST).put(path, { first_name: 'Eve' }, 401)
  }
  assert.deepEqual(await read(alice), before)
})

test('rejects invalid members by name, and writes nothing', async () => {
  const before = await read(alice)
  const cases: [string, unknown][] = [
    ['email', 5],
    ['email', 'nobody'],
    ['email', ''],
    ['first_name', ['a']],
    ['last_name', 'x'.repeat(151)],
    ['password', 'short'],
    ['password', 'P@ssw0rd'],
    ['password', alice.username],
    ['avatar', 'not base64'],
    ['avatar', 'AAAA'],
    ['user_profile', []],
    ['user_profile', 'x'],
    ['user_profile', { a: 'x'.repeat(300_000) }],
    ['data', 'x'],
  ]
  for (const [member, wrong] of cases) {
    const body = { last_name: 'Changed', [member]: wrong }
    const answer = await alice.api.patch<Refusal>(pathOf(alice), body, 400)
    assert.match(messageOf(answer), new RegExp(`${member}:`))
  }
  for (const raw of ['', '[]', '{', '{"first_name": "a\\u0000"}']) {
    await alice.api.request('PUT', pathOf(alice), { raw, status: 400 })
  }
  assert.deepEqual(await read(alice), before)
})

test('an API key can change the profile, but not the address or the password', async () => {
  const me = await signUp()
  const key = callerWith(await newApiKey(me.api))
  const { body } = await key.patch<User>(pathOf(me), { user_profile: { a: 1 } })
  assert.deepEqual(body.user_profile, { a: 1 })
  await key.put(pathOf(me), { ...body, first_name: 'Eve' }, 200)
  await key.patch(pathOf(me), { password: me.password }, 403)
  await key.patch(pathOf(me), { email: 'eve@example.org' }, 403)
})

test('after a password change, only the new password works, and refresh tokens are invalid', async () => {
  const me = await signUp()
  const password = 'an entirely new one'
  await me.api.patch(pathOf(me), { password })
  const { username } = me
  const { refresh } = me.tokens
  const { body } = await client().post<Refusal>('/api/token/refresh/', { refresh }, 401)
  assert.equal(body.code, 'token_not_valid')
  await client().post('/api/token/', { username, password: me.password }, 401)
  await client().post<Tokens>('/api/token/', { username, password }, 200)
})

test('sends a confirmation mail to a new address', { skip: withoutMail }, async () => {
  const me = await signUp()
  const { username } = me
  // A mail that waits to be sent is not sent once its address has changed.
  await mailTo(`${username}@example.org`, 'Confirm your e-mail address')
  const address = `${username}@example.net`
  const { body } = await me.api.patch<User>(pathOf(me), { email: address })
  assert.deepEqual([body.email, body.email_confirmed], [address, false])
  const mail = await mailTo(address, 'Confirm your e-mail address')
  assert.match(mail.text ?? '', new RegExp(username))
  assert.match(linkIn(mail), /^\/verify-email\/[\w-]{43}$/)
  // The previous address was not confirmed, so it gets no mail.
  const subjects = (await mailsTo(`${username}@example.org`)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['Confirm your e-mail address'])
})

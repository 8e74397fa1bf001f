import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, client, messageOf, type Refusal } from '../src/client.js'
import { deployment } from '../src/deployment.js'
import { linkIn, mailsTo, mailTo, tokenIn, withoutMail } from '../src/mails.js'
import type { Tokens, User } from '../src/resources.js'
import { newUser, signUp, type TestUser } from '../src/users.js'

const anybody = client()
const skip = withoutMail
const subject = 'Choose a new password'
const password = 'chosen after a mail'
const addressOf = ({ username }: TestUser) => `${username}@example.org`
const ask = (email: string) => anybody.post('/api/password_reset/', { email }, 200)
const confirm = (token: string, status = 200, wanted = password) =>
  anybody.post<Refusal>('/api/password_reset/confirm/', { token, password: wanted }, status)
const signIn = (username: string, wanted: string, status = 200) =>
  anybody.post<Tokens>('/api/token/', { username, password: wanted }, status)
/** Submits a form like a browser. */
const submit = (path: string, fields: Record<string, string>, origin = deployment.origin.origin) =>
  fetch(new URL(path, deployment.origin), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams(fields),
  })

test('the token of a mail sets a new password once, and confirms the address', {
  skip,
}, async () => {
  const me = await signUp()
  await ask(addressOf(me).toUpperCase())
  const mail = await mailTo(addressOf(me), subject)
  assert.match(mail.text ?? '', new RegExp(me.username))
  const token = tokenIn(mail)
  assert.match(messageOf(await confirm(token, 400, 'short')), /password:/)
  await confirm(token)
  assert.match(messageOf(await confirm(token, 400, 'once more, please')), /token:/)
  await signIn(me.username, me.password, 401)
  const { body } = await signIn(me.username, password)
  const { refresh } = me.tokens
  await anybody.post('/api/token/refresh/', { refresh }, 401)
  const { body: user } = await client('v1', `Bearer ${body.access}`).get<User>(
    `user/${me.username}/`,
  )
  assert.equal(user.email_confirmed, true)
  await mailTo(addressOf(me), 'Your password was changed')
})

test('the response does not reveal whether an account exists', { skip }, async () => {
  const me = await signUp()
  const answers = await Promise.all([ask(addressOf(me)), ask('nobody@example.org')])
  const [known, unknown] = answers.map(withoutTime)
  assert.deepEqual(known, unknown)
  await mailTo(addressOf(me), subject)
  assert.deepEqual(await mailsTo('nobody@example.org'), [])
})

test('requires an address, as JSON or as a form', async () => {
  for (const body of [{}, { email: 5 }, { email: '' }, { email: 'x' }, { email: 'a\nb@c.org' }]) {
    assert.match(messageOf(await anybody.post('/api/password_reset/', body, 400)), /email/)
  }
  const raw = 'email=nobody%40example.org'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await anybody.request('POST', '/api/password_reset', { raw, headers, status: 200 })
})

test('a newer link invalidates older ones', { skip }, async () => {
  const me = await signUp()
  await ask(addressOf(me))
  const first = tokenIn(await mailTo(addressOf(me), subject))
  await ask(addressOf(me))
  const second = tokenIn(await mailTo(addressOf(me), subject, 2))
  assert.notEqual(first, second)
  await confirm(first, 400)
  await confirm(second)
})

test('the pages lead through the whole password reset', { skip }, async () => {
  const me = await signUp()
  const page = await fetch(new URL('/password-reset/', deployment.origin))
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/)
  const asked = await submit('/password-reset/', { email: addressOf(me) })
  assert.deepEqual([asked.status, asked.headers.get('location')], [303, '/password-reset/sent/'])
  const link = linkIn(await mailTo(addressOf(me), subject))
  assert.match(await (await fetch(new URL(link, deployment.origin))).text(), /New password/)
  assert.equal((await submit(link, { password }, 'https://evil.example')).status, 403)
  const short = await submit(link, { password: 'short' })
  assert.equal(short.status, 400)
  assert.match(await short.text(), /at least 8 characters/)
  const common = await submit(link, { password: 'password' })
  assert.equal(common.status, 400)
  assert.match(await common.text(), /too common/)
  const changed = await submit(link, { password })
  assert.deepEqual(
    [changed.status, changed.headers.get('location')],
    [303, '/password-reset/done/'],
  )
  assert.equal((await submit(link, { password })).status, 400)
  await signIn(me.username, password)
  for (const path of ['sent', 'done']) {
    const { status } = await fetch(new URL(`/password-reset/${path}/`, deployment.origin))
    assert.equal(status, 200)
  }
})

test('the confirmation page confirms only when the button is pressed', {
  skip,
}, async () => {
  const me = await signUp()
  const link = linkIn(await mailTo(addressOf(me), 'Confirm your e-mail address'))
  const isConfirmed = async () =>
    (await me.api.get<User>(`user/${me.username}/`)).body.email_confirmed
  assert.equal((await fetch(new URL(link, deployment.origin))).status, 200)
  assert.equal(await isConfirmed(), false)
  const confirmed = await submit(link, {})
  assert.deepEqual(
    [confirmed.status, confirmed.headers.get('location')],
    [303, '/verify-email/done/'],
  )
  assert.equal(await isConfirmed(), true)
  assert.equal((await submit(link, {})).status, 400)
})

test('the token of a mail confirms an address; the mail can be requested again', {
  skip,
}, async () => {
  const me = await signUp()
  const path = `user/${me.username}/verify_email/`
  const confirmation = 'Confirm your e-mail address'
  const first = tokenIn(await mailTo(addressOf(me), confirmation))
  await me.api.request('POST', path, { status: 200 })
  const token = tokenIn(await mailTo(addressOf(me), confirmation, 2))
  const other = await signUp()
  await me.api.post(path, { token: first }, 400)
  await other.api.post(`user/${other.username}/verify_email/`, { token }, 400)
  await other.api.post(path, {}, 403)
  await anybody.post(path, {}, 401)
  await me.api.post(path, { token: 5 }, 400)
  await me.api.post(path, { token }, 200)
  const { body } = await me.api.get<User>(`user/${me.username}/`)
  assert.equal(body.email_confirmed, true)
  await me.api.post(path, {}, 200)
})

test('a sign-up with a used address reveals nothing, and notifies its owner', {
  skip,
}, async () => {
  const me = await signUp()
  const email = addressOf(me)
  const token = tokenIn(await mailTo(email, 'Confirm your e-mail address'))
  await me.api.post(`user/${me.username}/verify_email/`, { token }, 200)
  const answers = await Promise.all(
    [email.toUpperCase(), newUser().email].map(async (address) => {
      const user = { ...newUser(), email: address }
      const answer = await anybody.post<User>('user/', user)
      return {
        ...withoutTime(answer),
        members: Object.keys(answer.body),
        confirmed: answer.body.email_confirmed,
      }
    }),
  )
  const [taken, free] = answers.map(({ body: _, ...answer }) => answer)
  assert.deepEqual(taken, free)
  const notice = await mailTo(email, 'You have an account already')
  assert.match(notice.text ?? '', new RegExp(me.username))
  assert.equal(linkIn(notice), '/password-reset')
})

/** A response without the parts that always differ. */
function withoutTime({ status, headers, body }: Answer<unknown>) {
  const changing = /^(date|x-request-id|content-length|location|ratelimit|ratelimit-.*)$/
  const same = [...headers].filter(([name]) => !changing.test(name))
  return { status, headers: same, body }
}

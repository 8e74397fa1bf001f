import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import sharp from 'sharp'
import { ann, as, asAnonymous, failureOf, type Started, start } from './support/started.js'

const denied = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const bob = { ...ann, username: 'bob', email: 'bob@example.org' }
const withKey = (workspaceId = '') => actAs(userWithKey('ann', workspaceId))
const picture = (side: number) =>
  sharp({ create: { width: side, height: side / 2, channels: 3, background: '#36c' } })

/** The row of the account. */
const rowOf = (at: Started, username = 'ann') =>
  at.db.selectFrom('account').selectAll().where('username', '=', username).executeTakeFirstOrThrow()

/** Confirms the address, as if the link was opened. */
const confirm = (at: Started, username = 'ann') =>
  at.db
    .updateTable('account')
    .set({ email_confirmed: true })
    .where('username', '=', username)
    .execute()

test('keeps omitted fields, and accepts empty names', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const change = { username: 'ann', lastName: '' }
  const { user } = await at.accounts.updateUser(change, as('ann'))
  assert.deepEqual([user?.firstName, user?.lastName], ['Ann', ''])
  assert.equal(user?.private?.email, ann.email)
  const read = await at.client.getUser({ username: 'ann' }, as('ann'))
  assert.deepEqual(read.user, user)
  await at.client.issueToken(ann, asAnonymous())
})

test('replaces members of the profile, keeping their text', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const update = async (profileJson: string) => {
    const { user } = await at.accounts.updateUser({ username: 'ann', profileJson }, as('ann'))
    return user?.private?.profileJson
  }
  const first = '{"ui_data":{"z":9007199254740993,"a":1.10},"2":1,"1":2}'
  assert.equal(await update(first), first)
  assert.equal(await update('{"ui_data":{"b":[]}}'), '{"ui_data":{"b":[]},"2":1,"1":2}')
  assert.equal(await update('{}'), '{"ui_data":{"b":[]},"2":1,"1":2}')
})

test('only the owner can change an account', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const before = await rowOf(at)
  for (const caller of [as('bob'), withKey('00000000-0000-4000-8000-000000000001')]) {
    const call = at.accounts.updateUser({ username: 'ann', firstName: 'Eve' }, caller)
    assert.deepEqual(await failureOf(call), denied)
  }
  const unknown = at.accounts.updateUser({ username: 'nobody', firstName: 'Eve' }, as('bob'))
  assert.deepEqual(await failureOf(unknown), denied)
  const anonymous = at.accounts.updateUser({ username: 'ann' }, asAnonymous())
  assert.equal((await failureOf(anonymous)).code, Code.Unauthenticated)
  assert.deepEqual(await rowOf(at), before)
})

test('rejects invalid input by field, without writing', async () => {
  await using at = await start('http2', { USER_PROFILE_BYTES_MAX: '1KiB' })
  await at.client.createUser(ann, asAnonymous())
  const before = await rowOf(at)
  const cases: [string, object][] = [
    ['email', { email: '' }],
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@b.org\r\nBcc: eve@example.org' }],
    ['first_name', { firstName: 'a\0' }],
    ['last_name', { lastName: 'x'.repeat(151) }],
    ['password', { password: '' }],
    ['password', { password: 'short' }],
    ['password', { password: 'password' }],
    ['avatar', { avatar: Buffer.from('GIF89a') }],
    ['avatar', { avatar: Buffer.from('89504e470d0a1a0a', 'hex') }],
    ['user_profile', { profileJson: '[]' }],
    ['user_profile', { profileJson: '{"a":' }],
    ['user_profile', { profileJson: `{"a":"${'x'.repeat(1024)}"}` }],
  ]
  for (const [field, wrong] of cases) {
    const call = at.accounts.updateUser({ username: 'ann', firstName: 'B', ...wrong }, as('ann'))
    const { code, fields } = await failureOf(call)
    assert.deepEqual([code, fields], [Code.InvalidArgument, [field]])
  }
  assert.deepEqual(await rowOf(at), before)
  assert.equal(at.mails.length, 1)
})

test('re-encodes an avatar as a small PNG without metadata, and accepts it unchanged', async () => {
  await using at = await start('http2')
  await at.client.createUser(ann, asAnonymous())
  const comment = { exif: { IFD0: { Copyright: 'where I live' } } }
  const large = await picture(1000).withMetadata(comment).png().toBuffer()
  const sent = await at.accounts.updateUser({ username: 'ann', avatar: large }, as('ann'))
  const stored = Buffer.from(sent.user?.avatar ?? '', 'base64')
  const { format, width, height, exif } = await sharp(stored).metadata()
  assert.deepEqual([format, width, height, exif], ['png', 512, 256, undefined])
  const again = await at.accounts.updateUser({ username: 'ann', avatar: stored }, as('ann'))
  assert.equal(again.user?.avatar, sent.user?.avatar)
  const { user } = await at.client.getUser({ username: 'ann' }, as('bob'))
  assert.equal(user?.avatar, sent.user?.avatar)
  const none = await at.accounts.updateUser(
    { username: 'ann', avatar: new Uint8Array() },
    as('ann'),
  )
  assert.equal(none.user?.avatar, '')
})

test('rejects an avatar with too many bytes or pixels', async () => {
  await using at = await start('local', { AVATAR_BYTES_MAX: '2KiB' })
  await at.client.createUser(ann, asAnonymous())
  const noise = { create: { width: 64, height: 64, channels: 3, background: '#000' } } as const
  const type = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const heavy = await sharp({ create: { ...noise.create, noise: type } })
    .png()
    .toBuffer()
  assert.ok(heavy.length > 2048)
  const many = await picture(6000).png({ palette: true }).toBuffer()
  for (const avatar of [heavy, many]) {
    const { fields } = await failureOf(
      at.accounts.updateUser({ username: 'ann', avatar }, as('ann')),
    )
    assert.deepEqual(fields, ['avatar'])
  }
})

test('a search omits avatars beyond the total size', async () => {
  await using at = await start('local')
  const avatar = 'A'.repeat(1_600_000)
  const people = ['lea', 'leb', 'lec'].map((username) => ({
    username,
    email: '',
    first_name: '',
    last_name: '',
    password_hash: '',
    avatar,
  }))
  await at.db.insertInto('account').values(people).execute()
  const { users } = await at.client.searchUsers({ query: 'le' }, as('bob'))
  assert.deepEqual(
    users.map(({ username, avatar: { length } }) => [username, length]),
    [
      ['lea', 1_600_000],
      ['leb', 1_600_000],
      ['lec', 0],
    ],
  )
})

test('a new password invalidates refresh tokens and the old password, and sends a mail', async () => {
  await using at = await start('local')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  await confirm(at)
  const password = 'a newer horse'
  await at.accounts.updateUser({ username: 'ann', password }, as('ann'))
  const { refresh = '' } = tokens ?? {}
  const renewal = await failureOf(at.client.refreshToken({ refresh }, asAnonymous()))
  assert.equal(renewal.error, 'token_not_valid')
  const old = await failureOf(at.client.issueToken(ann, asAnonymous()))
  assert.equal(old.error, 'authentication_failed')
  await at.client.issueToken({ username: 'ann', password }, asAnonymous())
  const mail = at.mails.at(-1)
  assert.equal(mail?.to.address, ann.email)
  assert.match(mail?.subject ?? '', /password was changed/)
  assert.ok(!JSON.stringify(await rowOf(at)).includes(password))
})

test('an API key cannot change address or password, but may send unchanged values', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  for (const change of [{ email: 'eve@example.org' }, { password: ann.password }]) {
    const call = at.accounts.updateUser({ username: 'ann', ...change }, withKey())
    assert.deepEqual(await failureOf(call), denied)
  }
  const change = { username: 'ann', email: ann.email, firstName: 'Anna' }
  const { user } = await at.accounts.updateUser(change, withKey())
  assert.deepEqual([user?.firstName, user?.private?.email], ['Anna', ann.email])
})

test('a new address must be confirmed, and the previous one is notified', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await confirm(at)
  const cased = { username: 'ann', email: 'Ann@Example.ORG' }
  const same = await at.accounts.updateUser(cased, as('ann'))
  assert.equal(same.user?.private?.emailConfirmed, true)
  assert.equal(at.mails.length, 1)
  const email = 'ann@example.net'
  const other = await at.accounts.updateUser({ username: 'ann', email }, as('ann'))
  assert.deepEqual(
    [other.user?.private?.email, other.user?.private?.emailConfirmed],
    [email, false],
  )
  assert.deepEqual(
    at.mails.map(({ to, subject }) => [to.address, subject]),
    [
      [ann.email, 'Confirm your e-mail address'],
      ['Ann@Example.ORG', 'Your e-mail address was changed'],
      [email, 'Confirm your e-mail address'],
    ],
  )
})

test('a taken address gets the same response; only its owner is notified', async () => {
  await using at = await start('local')
  await at.client.createUser({ ...ann, email: 'Zoë@Example.org' }, asAnonymous())
  await confirm(at)
  const decomposed = 'zoe\u0308@example.org'
  const fresh = await at.client.createUser({ ...bob, email: decomposed }, asAnonymous())
  const other = await at.client.createUser({ ...bob, username: 'carl' }, asAnonymous())
  const shape = ({ user }: typeof fresh) => ({
    ...user?.private,
    email: '',
    firstName: user?.firstName,
  })
  assert.deepEqual(shape(fresh), shape(other))
  const changed = await at.accounts.updateUser({ username: 'carl', email: decomposed }, as('carl'))
  assert.equal(changed.user?.private?.emailConfirmed, false)
  assert.deepEqual(
    at.mails.map(({ to, subject }) => [to.address, subject]),
    [
      ['Zoë@Example.org', 'Confirm your e-mail address'],
      ['Zoë@Example.org', 'You have an account already'],
      ['bob@example.org', 'Confirm your e-mail address'],
      ['Zoë@Example.org', 'You have an account already'],
    ],
  )
})

test('concurrent changes are not lost', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  const changes = Array.from({ length: 10 }, (_, n) => ({ profileJson: `{"m${n}":${n}}` }))
  const calls = [...changes, { firstName: 'Anna' }, { lastName: 'Moss' }].map((change) =>
    at.accounts.updateUser({ username: 'ann', ...change }, as('ann')),
  )
  await Promise.all(calls)
  const row = await rowOf(at)
  const { user } = await at.client.getUser({ username: 'ann' }, as('ann'))
  assert.deepEqual([row.first_name, row.last_name], ['Anna', 'Moss'])
  assert.equal(Object.keys(JSON.parse(user?.private?.profileJson ?? '')).length, 10)
})

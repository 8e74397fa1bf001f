import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem } from '@figbase/kit/rpc'
import { assertUses, plansOf, userWithKey } from '@figbase/kit/testing'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { ApiKey } from '@figbase/proto/identity'
import { sql } from 'kysely'
import type { Database } from '../src/db/schema.js'
import { newToken } from '../src/domain/api-key-token.js'
import { hashOf } from '../src/domain/random-token.js'
import { findApiKey, findValidKey, listApiKeys } from '../src/queries/api-keys.js'
import {
  as,
  asAnonymous,
  failureOf,
  type Started,
  start,
  type Transport,
} from './support/started.js'

const { READ, PUBLISH, FULL } = ApiKeyAccess

const withKey = (username: string, workspaceId = '') => actAs(userWithKey(username, workspaceId))
const invalid = (field: string) => ({
  code: Code.InvalidArgument,
  error: 'invalid_request',
  fields: [field],
})
const refused = { code: Code.Unauthenticated, error: 'authentication_failed', fields: [] }
const denied = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const notFound = { code: Code.NotFound, error: 'not_found', fields: [] }
const inAnHour = () => timestampFromMs(Date.now() + 3_600_000)

/** Without passwords, which are slow to hash. */
async function insertUsers(at: Started, ...usernames: string[]) {
  const rows = usernames.map((username) => ({
    username,
    email: `${username}@example.org`,
    first_name: '',
    last_name: '',
    password_hash: '',
  }))
  await at.db.insertInto('account').values(rows).execute()
}

async function startWith(transport: Transport, env = {}) {
  const at = await start(transport, env)
  await insertUsers(at, 'ann', 'bob')
  return at
}

async function made(at: Started, request: object = {}, username = 'ann') {
  const { key, token } = await at.client.createApiKey(
    { name: randomUUID(), ...request },
    as(username),
  )
  assert.ok(key)
  return { key, token }
}

const authenticate = async (at: Started, token: string) =>
  (await at.client.authenticateApiKey({ token }, actAsSystem())).principal

const listed = async (at: Started, call = as('ann')) => (await at.client.listApiKeys({}, call)).keys

test('creates a key, lists it without its secret, and authenticates its owner', async () => {
  await using at = await startWith('http2')
  const workspaceId = randomUUID()
  const expiresOn = inAnHour()
  const { key, token } = await made(at, { name: 'CI', workspaceId, expiresOn })
  assert.deepEqual(
    [key.name, key.owner, key.workspaceId, key.lastUsedOn, key.expiresOn],
    ['CI', 'ann', workspaceId, undefined, expiresOn],
  )
  assert.match(key.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  assert.deepEqual(await listed(at), [key])
  assert.deepEqual((await at.client.getApiKey({ id: key.id }, as('ann'))).key, key)
  const stored = await sql<{ row: string }>`select api_key::text as row from api_key`.execute(at.db)
  assert.doesNotMatch(stored.rows[0]?.row ?? '', new RegExp(token.slice(10)))

  const principal = await authenticate(at, token)
  assert.equal(principal?.username, 'ann')
  assert.deepEqual([principal.apiKey?.id, principal.apiKey?.workspaceId], [key.id, workspaceId])
  assert.equal((await authenticate(at, (await made(at)).token))?.apiKey?.workspaceId, '')
})

test('only the owner can read and delete keys', async () => {
  await using at = await startWith('http2')
  const { key, token } = await made(at)
  const { id } = key
  const { client } = at
  assert.deepEqual(await listed(at, as('bob')), [])
  for (const other of [id, 'x', randomUUID()]) {
    assert.deepEqual(await failureOf(client.getApiKey({ id: other }, as('bob'))), notFound)
    assert.deepEqual(await failureOf(client.deleteApiKey({ id: other }, as('bob'))), notFound)
  }
  for (const call of [
    client.listApiKeys({}, asAnonymous()),
    client.getApiKey({ id }, asAnonymous()),
  ]) {
    assert.equal((await failureOf(call)).code, Code.Unauthenticated)
  }
  assert.ok(await authenticate(at, token))
  await client.deleteApiKey({ id }, as('ann'))
  assert.deepEqual(await failureOf(authenticate(at, token)), refused)
  assert.deepEqual(await failureOf(client.deleteApiKey({ id }, as('ann'))), notFound)
  assert.deepEqual(await listed(at), [])
})

test('a key cannot create or delete keys', async () => {
  await using at = await startWith('http2')
  const { id } = (await made(at)).key
  for (const call of [withKey('ann'), withKey('ann', randomUUID())]) {
    assert.deepEqual(await failureOf(at.client.createApiKey({ name: 'x' }, call)), denied)
    assert.deepEqual(await failureOf(at.client.deleteApiKey({ id }, call)), denied)
  }
  for (const request of [{ name: 'x' }, { name: '' }]) {
    const { code } = await failureOf(at.client.createApiKey(request, asAnonymous()))
    assert.equal(code, Code.Unauthenticated)
  }
  assert.equal((await listed(at)).length, 1)
})

test('only services can authenticate keys', async () => {
  await using at = await startWith('http2')
  const { token } = await made(at)
  const failure = await failureOf(at.client.authenticateApiKey({ token }, as('ann')))
  assert.deepEqual(failure, denied)
})

test('a key has the requested access; the default is full, unknown ones are rejected', async () => {
  await using at = await startWith('local')
  for (const [asked, access] of [
    [undefined, FULL],
    [ApiKeyAccess.UNSPECIFIED, FULL],
    [READ, READ],
    [PUBLISH, PUBLISH],
    [FULL, FULL],
  ] as const) {
    const { key, token } = await made(at, asked === undefined ? {} : { access: asked })
    assert.equal(key.access, access)
    assert.deepEqual((await at.client.getApiKey({ id: key.id }, as('ann'))).key, key)
    assert.equal((await authenticate(at, token))?.apiKey?.access, access)
  }
  assert.deepEqual(await failureOf(made(at, { access: 4 })), invalid('access'))
})

test('keys of older versions have full access', async () => {
  await using at = await startWith('local')
  const token = newToken()
  const row = { id: randomUUID(), owner: 'ann', name: 'old', token_hash: hashOf(token) }
  await at.db.insertInto('api_key').values(row).execute()
  assert.equal((await authenticate(at, token))?.apiKey?.access, FULL)
})

test('a key for a workspace sees only keys of that workspace', async () => {
  await using at = await startWith('local')
  const workspaceId = randomUUID()
  const here = (await made(at, { workspaceId })).key
  const others = [(await made(at)).key, (await made(at, { workspaceId: randomUUID() })).key]
  assert.deepEqual(await listed(at, withKey('ann', workspaceId)), [here])
  assert.deepEqual(await listed(at, withKey('ann')), [here, ...others])
  const bound = withKey('ann', workspaceId)
  assert.deepEqual((await at.client.getApiKey({ id: here.id }, bound)).key, here)
  for (const { id } of others) {
    assert.deepEqual(await failureOf(at.client.getApiKey({ id }, bound)), notFound)
  }
})

test('names are unique per user and validated', async () => {
  await using at = await startWith('local')
  await made(at, { name: 'CI' })
  await made(at, { name: 'CI' }, 'bob')
  await made(at, { name: 'ci' })
  assert.equal((await made(at, { name: 'Schlu\u0308ssel' })).key.name, 'Schl\u00fcssel')
  for (const name of ['CI', 'Schl\u00fcssel', 'Schlu\u0308ssel', '', 'a\0b', 'x'.repeat(201)]) {
    assert.deepEqual(await failureOf(made(at, { name })), invalid('name'))
  }
})

test('the expiry must be in the future, and takes effect', async () => {
  await using at = await startWith('local')
  for (const ms of [0, Date.now() - 1000]) {
    const expiresOn = timestampFromMs(ms)
    assert.deepEqual(await failureOf(made(at, { expiresOn })), invalid('expiry'))
  }
  for (const expiresOn of [
    { seconds: -1n, nanos: 0 },
    { seconds: 2n ** 60n, nanos: 0 },
    { seconds: 2n ** 31n, nanos: -1 },
  ]) {
    assert.deepEqual(await failureOf(made(at, { expiresOn })), invalid('expiry'))
  }
  const ends = Date.now() + 1000
  const { key, token } = await made(at, { expiresOn: timestampFromMs(ends) })
  assert.ok(await authenticate(at, token))
  await sleep(ends - Date.now() + 50)
  assert.deepEqual(await failureOf(authenticate(at, token)), refused)
  assert.deepEqual(
    (await listed(at)).map(({ id }) => id),
    [key.id],
    'an expired key is still listed',
  )
})

test('rejects a workspace that is unknown or not visible', async () => {
  await using at = await startWith('local')
  for (const workspaceId of ['x', at.unseen.denied, at.unseen.missing]) {
    assert.deepEqual(await failureOf(made(at, { workspaceId })), invalid('workspace'))
  }
  assert.deepEqual(await listed(at), [])
  const workspaceId = randomUUID()
  await made(at, { workspaceId: workspaceId.toUpperCase() })
  assert.deepEqual(at.viewed.at(-1), { username: 'ann', id: workspaceId })
})

test('limits the number of keys per user, also concurrently', async () => {
  await using at = await startWith('local', { API_KEYS_MAX: '3' })
  const ends = await Promise.allSettled(Array.from({ length: 6 }, () => made(at)))
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 3)
  assert.deepEqual(await failureOf(made(at)), invalid('name'))
  await made(at, {}, 'bob')
  const [first] = await listed(at)
  await at.client.deleteApiKey({ id: first?.id ?? '' }, as('ann'))
  await made(at)
})

test('rejects malformed and unknown keys', async () => {
  await using at = await startWith('local')
  const { token } = await made(at)
  const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
  for (const text of ['', 'x', newToken(), mistyped, `${token}x`, 'x'.repeat(5000), 'a\0b']) {
    assert.deepEqual(await failureOf(authenticate(at, text)), refused)
  }
})

test('rejects keys of inactive users; keys of staff are staff unless bound to a workspace', async () => {
  await using at = await startWith('local')
  const free = (await made(at)).token
  const bound = (await made(at, { workspaceId: randomUUID() })).token
  const change = (values: object) =>
    at.db.updateTable('account').set(values).where('username', '=', 'ann').execute()
  await change({ is_staff: true })
  assert.equal((await authenticate(at, free))?.isStaff, true)
  assert.equal((await authenticate(at, bound))?.isStaff, false)
  await change({ is_active: false })
  for (const token of [free, bound]) {
    assert.deepEqual(await failureOf(authenticate(at, token)), refused)
  }
})

const usedMs = ({ lastUsedOn }: ApiKey) => (lastUsedOn ? timestampMs(lastUsedOn) : 0)

/** Waits for the effect of the background write. */
async function until(at: Started, fits: (key: ApiKey) => boolean): Promise<ApiKey> {
  for (let tries = 0; tries < 200; tries++) {
    const [key] = await listed(at)
    if (key && fits(key)) return key
    await sleep(25)
  }
  throw new Error('last_used_on was not updated')
}

test('the last use is updated once a minute in the background', async () => {
  await using at = await startWith('local')
  const { token } = await made(at)
  const began = Date.now()
  await Promise.all(Array.from({ length: 20 }, () => authenticate(at, token)))
  const first = await until(at, (key) => usedMs(key) > 0)
  assert.ok(Math.abs(usedMs(first) - began) < 5000)
  for (let n = 0; n < 5; n++) await authenticate(at, token)
  assert.deepEqual(await listed(at), [first])

  await sql`update api_key set last_used_on = now() - interval '61 seconds'`.execute(at.db)
  await at.db.transaction().execute(async (tx) => {
    await sql`select from api_key for update`.execute(tx)
    // While the row is locked, its use cannot be written.
    assert.ok(await authenticate(at, token))
  })
  await authenticate(at, token)
  await until(at, (key) => usedMs(key) >= usedMs(first))
})

test('key queries use their indexes', async () => {
  await using at = await startWith('local')
  const { key, token } = await made(at)
  await sql`insert into api_key (id, owner, name, token_hash)
    select gen_random_uuid(), 'bob', n::text, sha256(n::text::bytea)
      from generate_series(1, 20000) n`.execute(at.db)
  await sql`insert into account (username, email, first_name, last_name, password_hash)
    select 'u' || n, '', '', '', '' from generate_series(1, 20000) n`.execute(at.db)
  await sql`analyze`.execute(at.db)
  const plans = (run: (db: typeof at.db) => Promise<unknown>, text: RegExp, values: string[]) =>
    plansOf<Database>((work) => at.db.transaction().execute(work), run, text, values)

  const hash = hashOf(token)
  const good = await plans((db) => findValidKey(db, hash), /join account/, [
    `'\\x${hash.toString('hex')}'`,
  ])
  assertUses(good, ['api_key_token_hash_key', 'account_pkey'])
  const single = await plans((db) => findApiKey(db, key.id, 'ann', null), /k\.id = \$1 and/, [
    ...[`'${key.id}'`, `'bob'`, 'null'],
  ])
  assertUses(single, ['api_key_pkey'])
  const page = await plans((db) => listApiKeys(db, 'ann', null, 11), /order by(?!.*\$5)/s, [
    ...[`'bob'`, 'null', '11'],
  ])
  assertUses(page, ['api_key_owner_idx'])
})

import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { actAs } from '@figbase/kit/rpc'
import { assertUses, plansOf, userWithKey } from '@figbase/kit/testing'
import type { CreateSshKeyRequestSchema, SshKey } from '@figbase/proto/identity/ssh-keys'
import { sql } from 'kysely'
import type { Database } from '../src/db/schema.js'
import { findSshKey, listSshKeys } from '../src/queries/ssh-keys.js'
import {
  envelope,
  generateKey,
  openSshText,
  publicKeyOf,
  withoutSshKeygen,
} from './support/generated-keys.js'
import {
  as,
  asAnonymous,
  failureOf,
  type Started,
  start,
  type Transport,
} from './support/started.js'

const withKey = (username: string, workspaceId = '') => actAs(userWithKey(username, workspaceId))
const invalid = (field: string) => ({
  code: Code.InvalidArgument,
  error: 'invalid_request',
  fields: [field],
})
const denied = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const notFound = { code: Code.NotFound, error: 'not_found', fields: [] }

async function startWith(transport: Transport = 'local', env = {}) {
  const at = await start(transport, env)
  for (const username of ['ann', 'bob']) {
    await sql`insert into account (username, email, first_name, last_name, password_hash)
      values (${username}, '', '', '', '')`.execute(at.db)
  }
  return at
}

/** Generates a key of a fast type. */
const newPem = () =>
  String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))

type Request = MessageInitShape<typeof CreateSshKeyRequestSchema>

async function createKey({ sshKeys }: Started, request: Request = {}, username = 'ann') {
  const sent = { name: randomUUID(), privateKey: newPem(), ...request }
  const { key } = await sshKeys.createSshKey(sent, as(username))
  assert.ok(key)
  return key
}

const listed = async ({ sshKeys }: Started, username = 'ann') =>
  (await sshKeys.listSshKeys({}, as(username))).keys

const defaultsOf = (keys: SshKey[]) => keys.filter((key) => key.isDefault).map(({ id }) => id)

test('stores, lists and opens a key', {
  skip: withoutSshKeygen,
}, async () => {
  await using at = await startWith('http2')
  for (const [made, passphrase] of [
    [generateKey({ passphrase: 'of the key' }), 'of the key'],
    [generateKey({ type: 'ecdsa', format: 'PEM' }), ''],
    [generateKey({ type: 'rsa', bits: 2048, format: 'PKCS8', passphrase: 'secret' }), 'secret'],
  ] as const) {
    const { privateKey, publicKey, fingerprint } = made
    const key = await createKey(at, { name: fingerprint, privateKey, passphrase })
    assert.deepEqual(
      [key.name, key.fingerprint, key.publicKey],
      [fingerprint, fingerprint, publicKey],
    )
    assert.match(key.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    assert.deepEqual((await at.sshKeys.getSshKey({ id: key.id }, as('ann'))).key, key)
    const opened = await at.sshKeys.openSshKey({ id: key.id }, as('ann'))
    assert.deepEqual(opened.key, key)
    assert.equal(publicKeyOf(opened.privateKey), publicKey)
  }
  assert.equal((await listed(at)).length, 3)
})

test('only the owner can read, update, open and delete keys', async () => {
  await using at = await startWith('http2')
  const { id } = await createKey(at)
  const { sshKeys } = at
  for (const other of [id, 'x', '', randomUUID()]) {
    const failures = await Promise.all(
      [
        sshKeys.getSshKey({ id: other }, as('bob')),
        sshKeys.updateSshKey({ id: other, isDefault: true }, as('bob')),
        sshKeys.deleteSshKey({ id: other }, as('bob')),
        sshKeys.openSshKey({ id: other }, as('bob')),
      ].map(failureOf),
    )
    assert.deepEqual(failures, Array(4).fill(notFound))
  }
  assert.deepEqual(await listed(at, 'bob'), [])
  const anonymous = await Promise.all(
    [
      sshKeys.listSshKeys({}, asAnonymous()),
      sshKeys.createSshKey({ name: 'x', privateKey: newPem() }, asAnonymous()),
      sshKeys.openSshKey({ id }, asAnonymous()),
    ].map(failureOf),
  )
  assert.deepEqual(
    anonymous.map(({ code }) => code),
    Array(3).fill(Code.Unauthenticated),
  )
  await sshKeys.deleteSshKey({ id }, as('ann'))
  assert.deepEqual(await failureOf(sshKeys.deleteSshKey({ id }, as('ann'))), notFound)
  assert.deepEqual(await listed(at), [])
})

test('an API key cannot create or delete keys, and lists them only if not bound to a workspace', async () => {
  await using at = await startWith()
  const { id } = await createKey(at)
  const { sshKeys } = at
  for (const call of [withKey('ann'), withKey('ann', randomUUID())]) {
    const request = { name: 'x', privateKey: newPem() }
    assert.deepEqual(await failureOf(sshKeys.createSshKey(request, call)), denied)
    assert.deepEqual(await failureOf(sshKeys.deleteSshKey({ id }, call)), denied)
  }
  assert.equal((await sshKeys.listSshKeys({}, withKey('ann'))).keys.length, 1)
  const bound = withKey('ann', randomUUID())
  const failures = await Promise.all(
    [
      sshKeys.listSshKeys({}, bound),
      sshKeys.getSshKey({ id }, bound),
      sshKeys.updateSshKey({ id, name: 'x' }, bound),
    ].map(failureOf),
  )
  assert.deepEqual(failures, Array(3).fill(denied))
})

test('rejects invalid input by field, without storing', { skip: withoutSshKeygen }, async () => {
  await using at = await startWith('local', { SSH_KEY_READ_TIMEOUT: '10s' })
  const encrypted = generateKey({ passphrase: 'right', more: ['-a', '1'] }).privateKey
  const { privateKey: short } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  for (const [request, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ privateKey: '' }, 'private_key'],
    [{ privateKey: 'a\0b' }, 'private_key'],
    [{ privateKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA me' }, 'private_key'],
    [{ privateKey: `${newPem()}${'x'.repeat(65_536)}` }, 'private_key'],
    [{ privateKey: 'é'.repeat(32_769) }, 'private_key'],
    [{ privateKey: String(short.export({ type: 'pkcs1', format: 'pem' })) }, 'private_key'],
    [{ privateKey: envelope({ type: 'sk-ssh-ed25519@openssh.com' }) }, 'private_key'],
    [{ privateKey: envelope({ type: 'ssh-dss' }) }, 'private_key'],
    [{ privateKey: openSshText(Buffer.alloc(100)) }, 'private_key'],
    [{ privateKey: offItsCurve() }, 'private_key'],
    [{ privateKey: encrypted }, 'passphrase'],
    [{ privateKey: encrypted, passphrase: 'wrong' }, 'passphrase'],
    [{ privateKey: encrypted, passphrase: 'a\0b' }, 'passphrase'],
    [{ privateKey: encrypted, passphrase: 'x'.repeat(1025) }, 'passphrase'],
  ] as const) {
    assert.deepEqual(
      await failureOf(createKey(at, request)),
      invalid(field),
      JSON.stringify(request),
    )
  }
  assert.deepEqual(await listed(at), [])
  await createKey(at, { privateKey: encrypted, passphrase: 'right' })
})

/** Node aborts on such a key, which ends only the reader process. */
function offItsCurve() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const bytes = privateKey.export({ type: 'pkcs8', format: 'der' })
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}

test('names and keys are unique per user', async () => {
  await using at = await startWith()
  const privateKey = newPem()
  const key = await createKey(at, { name: 'laptop', privateKey })
  assert.deepEqual(await failureOf(createKey(at, { name: 'laptop' })), invalid('name'))
  assert.deepEqual(await failureOf(createKey(at, { privateKey })), invalid('private_key'))
  await createKey(at, { name: 'laptop', privateKey }, 'bob')
  const other = await createKey(at, { name: 'Laptop' })
  const rename = (name: string) => at.sshKeys.updateSshKey({ id: other.id, name }, as('ann'))
  for (const name of ['laptop', '', 'x'.repeat(201)]) {
    assert.deepEqual(await failureOf(rename(name)), invalid('name'))
  }
  assert.equal((await rename('desktop')).key?.name, 'desktop')
  assert.deepEqual(
    (await listed(at)).map(({ name }) => name),
    ['laptop', 'desktop'],
  )
  assert.deepEqual((await at.sshKeys.getSshKey({ id: key.id }, as('ann'))).key, key)
})

test('the first key is the default, later ones only on request', async () => {
  await using at = await startWith()
  const [first, second] = [await createKey(at), await createKey(at)]
  assert.deepEqual([first.isDefault, second.isDefault], [true, false])
  const third = await createKey(at, { isDefault: true })
  assert.deepEqual(defaultsOf(await listed(at)), [third.id])
  const change = (id: string, isDefault: boolean) =>
    at.sshKeys.updateSshKey({ id, isDefault }, as('ann'))
  assert.equal((await change(second.id, true)).key?.isDefault, true)
  assert.deepEqual(defaultsOf(await listed(at)), [second.id])
  await change(first.id, false)
  await at.sshKeys.updateSshKey({ id: second.id, name: 'renamed' }, as('ann'))
  assert.deepEqual(defaultsOf(await listed(at)), [second.id])
  assert.deepEqual(await failureOf(change(randomUUID(), true)), notFound)
  assert.deepEqual(
    defaultsOf(await listed(at)),
    [second.id],
    'an unknown id does not unset the default',
  )
  await change(second.id, false)
  assert.deepEqual(defaultsOf(await listed(at)), [])
  assert.equal((await createKey(at)).isDefault, false, 'no new default is chosen')
})

test('limits keys per user and keeps at most one default, also concurrently', async () => {
  await using at = await startWith('local', { SSH_KEYS_MAX: '6' })
  const made = await Promise.allSettled(
    Array.from({ length: 9 }, (_, n) => createKey(at, { isDefault: n % 2 === 0 })),
  )
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 6)
  const keys = await listed(at)
  assert.deepEqual([keys.length, defaultsOf(keys).length], [6, 1])
  assert.deepEqual(await failureOf(createKey(at)), invalid('name'))
  await createKey(at, {}, 'bob')
  const choices = [...keys, ...keys, ...keys].map(({ id }) =>
    at.sshKeys.updateSshKey({ id, isDefault: true }, as('ann')),
  )
  await Promise.all(choices)
  assert.equal(defaultsOf(await listed(at)).length, 1)
  assert.equal(defaultsOf(await listed(at, 'bob')).length, 1)
})

test('a key is sealed, and cannot be opened in another row', async () => {
  await using at = await startWith()
  const privateKey = newPem()
  const [one, other] = [await createKey(at, { privateKey }), await createKey(at)]
  const { rows } = await sql<{ row: string; sealed: Buffer }>`
    select k::text as row, private_key_sealed as sealed from ssh_key k`.execute(at.db)
  const opened = await at.sshKeys.openSshKey({ id: one.id }, as('ann'))
  const seed = Buffer.from(privateKey.split('\n')[1] ?? '', 'base64').subarray(-32)
  const inOpened = Buffer.from(opened.privateKey.split('\n').slice(1, -2).join(''), 'base64')
  assert.ok(inOpened.includes(seed), 'the seed must not be disclosed')
  assert.equal(rows.length, 2)
  for (const { row, sealed } of rows) {
    assert.doesNotMatch(row, new RegExp(seed.toString('hex')))
    assert.ok(!sealed.includes(seed) && !sealed.includes('PRIVATE KEY'))
  }
  await sql`update ssh_key set private_key_sealed =
    (select private_key_sealed from ssh_key where id = ${one.id}) where id = ${other.id}`.execute(
    at.db,
  )
  const moved = await failureOf(at.sshKeys.openSshKey({ id: other.id }, as('ann')))
  assert.equal(moved.code, Code.Internal)
})

test('key queries use their indexes', async () => {
  await using at = await startWith()
  const { id } = await createKey(at)
  await sql`insert into account (username, email, first_name, last_name, password_hash)
    select 'u' || n, '', '', '', '' from generate_series(1, 2000) n`.execute(at.db)
  await sql`insert into ssh_key
      (id, owner, name, fingerprint, public_key, private_key_sealed, is_default)
    select gen_random_uuid(), 'u' || (n % 2000 + 1), n::text, n::text, '', '', n <= 2000
      from generate_series(1, 20000) n`.execute(at.db)
  await sql`analyze`.execute(at.db)
  const plans = (run: (db: typeof at.db) => Promise<unknown>, text: RegExp, values: string[]) =>
    plansOf<Database>(
      (work) => at.db.transaction().execute(work),
      (tx) => run(tx),
      text,
      values,
    )
  const single = await plans((db) => findSshKey(db, id, 'ann'), /k\.id = \$1 and/, [
    ...[`'${id}'`, `'ann'`],
  ])
  assertUses(single, ['ssh_key_pkey'])
  const page = await plans((db) => listSshKeys(db, 'ann', 11), /order by(?!.*\$4)/s, [
    ...[`'ann'`, '11'],
  ])
  assertUses(page, ['ssh_key_owner_idx'])
})

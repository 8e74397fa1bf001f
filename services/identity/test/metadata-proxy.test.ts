import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { actAs } from '@figbase/kit/rpc'
import type { Kit } from '@figbase/kit/service'
import { assertUses, plansOf, userWithKey } from '@figbase/kit/testing'
import type { MetadataProxy } from '@figbase/proto/identity/site'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import type { Database } from '../src/db/schema.js'
import { hashOf } from '../src/domain/random-token.js'
import { purgeMetadataProxies } from '../src/periodic/purge-metadata-proxies.js'
import {
  deleteExpiredProxies,
  findMetadataProxy,
  lockAndCountProxies,
  updateMetadata,
} from '../src/queries/metadata-proxies.js'
import { as, asAnonymous, failureOf, start, type Transport } from './support/started.js'

const invalid = (field: string) => ({
  code: Code.InvalidArgument,
  error: 'invalid_request',
  fields: [field],
})
const denied = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const missing = { code: Code.NotFound, error: 'not_found', fields: [] }
const signedOut = { code: Code.Unauthenticated, error: 'not_authenticated', fields: [] }
const hourMs = 3_600_000

async function startWith(transport: Transport, env: Record<string, string> = {}) {
  const at = await start(transport, env)
  await sql`insert into account (username, email, first_name, last_name, password_hash)
    select name, '', '', '', '' from unnest('{ann,bob}'::text[]) name`.execute(at.db)
  return { ...at, [Symbol.asyncDispose]: at[Symbol.asyncDispose] }
}

type Bench = Awaited<ReturnType<typeof startWith>>

async function opened(at: Bench, expiresOn?: Timestamp, caller = as('ann')) {
  const { proxy, token } = await at.site.createMetadataProxy(
    { ...(expiresOn && { expiresOn }) },
    caller,
  )
  assert.ok(proxy?.createdOn && proxy.expiresOn)
  return { proxy, token, lifeMs: timestampMs(proxy.expiresOn) - timestampMs(proxy.createdOn) }
}

const read = async (at: Bench, token: string, caller = as('ann')) =>
  (await at.site.getMetadataProxy({ token }, caller)).proxy
const post = async (at: Bench, token: string, metadataJson = '{}', caller = asAnonymous()) =>
  (await at.site.postMetadata({ token, metadataJson }, caller)).proxy
const close = (at: Bench, token: string, caller = as('ann')) =>
  at.site.deleteMetadataProxy({ token }, caller)

test('anyone with the token can post, only the initiator can read', async () => {
  await using at = await startWith('http2')
  const { proxy, token } = await opened(at)
  assert.deepEqual([proxy.initiator, proxy.updatedOn, proxy.metadataJson], ['ann', undefined, ''])
  assert.deepEqual(await read(at, token), proxy)

  const sent = ' {"url": "https://x.example/a?b#c", "n": 12345678901234567890, "a": 1, "a": 2}'
  assert.equal(await post(at, token, sent), undefined)
  const first = await read(at, token)
  assert.equal(first?.metadataJson, sent, 'unchanged')
  assert.equal(await post(at, token, '1', as('bob')), undefined)
  const own = await post(at, token, 'null', as('ann'))
  assert.deepEqual(own, await read(at, token))
  assert.equal(own?.metadataJson, 'null')
  assert.ok(microsOf(own) > microsOf(first))

  for (const caller of [as('bob'), asAnonymous()]) {
    assert.deepEqual(await failureOf(read(at, token, caller)), denied)
  }
  assert.deepEqual(await failureOf(close(at, token, as('bob'))), denied)
  assert.deepEqual(await failureOf(close(at, token, asAnonymous())), signedOut)
  await close(at, token)
  for (const call of [read, post, close]) {
    assert.deepEqual(await failureOf(call(at, token)), missing)
  }
})

const microsOf = (proxy: MetadataProxy | undefined) =>
  Number(proxy?.updatedOn?.seconds) * 1e6 + Number(proxy?.updatedOn?.nanos) / 1000

test('API keys can create proxies, anonymous callers cannot', async () => {
  await using at = await startWith('local')
  assert.deepEqual(await failureOf(at.site.createMetadataProxy({}, asAnonymous())), signedOut)
  for (const workspaceId of ['', randomUUID()]) {
    const caller = actAs(userWithKey('ann', workspaceId))
    const { token } = await opened(at, undefined, caller)
    await read(at, token, caller)
    await close(at, token, caller)
  }
})

test('stores only the hash of a token', async () => {
  await using at = await startWith('local')
  const { token } = await opened(at)
  assert.match(token, /^[\w-]{43}$/)
  const { rows } = await sql<{ row: string }>`select m::text as row from metadata_proxy m`.execute(
    at.db,
  )
  assert.doesNotMatch(rows[0]?.row ?? '', new RegExp(token))
})

test('limits the expiry to the maximum, and rejects one in the past', async () => {
  await using at = await startWith('local', { METADATA_PROXY_LIFETIME: '2h' })
  assert.equal((await opened(at)).lifeMs, 2 * hourMs)
  assert.equal((await opened(at, timestampFromMs(Date.now() + 30 * hourMs))).lifeMs, 2 * hourMs)
  const soon = timestampFromMs(Date.now() + hourMs)
  assert.deepEqual((await opened(at, soon)).proxy.expiresOn, soon)
  for (const expiresOn of [
    timestampFromMs(Date.now() - 1000),
    timestampFromMs(0),
    { $typeName: 'google.protobuf.Timestamp', seconds: -1n, nanos: 0 } as const,
    { $typeName: 'google.protobuf.Timestamp', seconds: 2n ** 62n, nanos: 0 } as const,
    { $typeName: 'google.protobuf.Timestamp', seconds: 2n ** 33n, nanos: -1 } as const,
  ]) {
    assert.deepEqual(await failureOf(opened(at, expiresOn)), invalid('expiry'))
  }
})

test('rejects METADATA_PROXY_LIFETIME of a day or more', async () => {
  await assert.rejects(
    startWith('local', { METADATA_PROXY_LIFETIME: '24h' }),
    /METADATA_PROXY_LIFETIME/,
  )
})

test('an expired proxy is not found, and is purged', async () => {
  await using at = await startWith('local')
  const { proxy, token } = await opened(at)
  const valid = await opened(at)
  await post(at, token)
  await at.db
    .updateTable('metadata_proxy')
    .set({ expires_on: sql`now()` })
    .where('id', '=', proxy.id)
    .execute()
  for (const caller of [as('ann'), as('bob')]) {
    assert.deepEqual(await failureOf(read(at, token, caller)), missing)
    assert.deepEqual(await failureOf(post(at, token, '{}', caller)), missing)
    assert.deepEqual(await failureOf(close(at, token, caller)), missing)
  }
  const kit: Pick<Kit<Database>, 'db'> = { db: at.db }
  await purgeMetadataProxies.run(kit as Ctx, new AbortController().signal)
  const rows = await at.db.selectFrom('metadata_proxy').select('id').execute()
  assert.deepEqual(rows, [{ id: valid.proxy.id }])
})

test('rejects wrong tokens, without a lockout after many', async () => {
  await using at = await startWith('local')
  const { token } = await opened(at)
  const changed = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
  const wrong = ['', 'x', changed, token.toLowerCase(), `${token}x`, 'a\0b', 'x'.repeat(5000)]
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const text = wrong[n % wrong.length] ?? ''
      assert.deepEqual(await failureOf(post(at, text)), missing)
      assert.deepEqual(await failureOf(read(at, text)), missing)
    }),
  )
  await post(at, token)
})

test('rejects malformed and oversized JSON without writing', async () => {
  await using at = await startWith('local', { METADATA_BYTES_MAX: '1KiB' })
  const { proxy, token } = await opened(at)
  for (const text of [
    '',
    '{',
    '{} {}',
    'undefined',
    '"\\u0000"',
    '"a\0b"',
    '{"\\ud800": 1}',
    '['.repeat(101) + ']'.repeat(101),
    '['.repeat(1000),
    JSON.stringify('x'.repeat(1023)),
    JSON.stringify('é'.repeat(512)),
  ]) {
    assert.deepEqual(await failureOf(post(at, token, text)), invalid('metadata'), text)
  }
  assert.deepEqual(await read(at, token), proxy)
  await post(at, token, JSON.stringify('x'.repeat(1022)))
})

test('concurrent posts all succeed, the last one wins, and updated_on increases', async () => {
  await using at = await startWith('http2')
  const { token } = await opened(at)
  const texts = Array.from({ length: 8 }, (_, n) => JSON.stringify({ n }))
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(texts.map((text) => post(at, token, text, as('ann'))))
    assert.deepEqual(
      answers.map((answer) => answer?.metadataJson),
      texts,
    )
    const times = answers.map(microsOf)
    assert.equal(new Set(times).size, 8)
    const last = answers[times.indexOf(Math.max(...times))]
    assert.deepEqual(await read(at, token), last)
  }
})

const detailOfFailure = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown)
  const detail = error instanceof ConnectError ? detailOf(error) : undefined
  assert.ok(detail)
  return detail
}

test('limits the number of open proxies per user, also concurrently; expired ones do not count', async () => {
  await using at = await startWith('local', { METADATA_PROXIES_MAX: '3' })
  const tooMany = {
    code: Code.ResourceExhausted,
    error: 'too_many_metadata_proxies',
    fields: [],
  }
  const ends = await Promise.allSettled(Array.from({ length: 6 }, () => opened(at)))
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 3)
  assert.deepEqual(await failureOf(opened(at)), tooMany)
  const { retryAfterSeconds } = await detailOfFailure(opened(at))
  assert.ok(retryAfterSeconds > 3600 && retryAfterSeconds <= 23 * 3600, 'until one expires')
  await opened(at, undefined, as('bob'))
  await sql`update metadata_proxy set expires_on = now()
    where id = (select id from metadata_proxy where initiator = 'ann' limit 1)`.execute(at.db)
  const { token } = await opened(at)
  assert.deepEqual(await failureOf(opened(at)), tooMany)
  await close(at, token)
  await opened(at)
})

test('proxy queries use their indexes', async () => {
  await using at = await startWith('local')
  const { token } = await opened(at)
  await sql`insert into metadata_proxy (id, initiator, token_hash, expires_on)
    select gen_random_uuid(), 'bob', sha256(n::text::bytea), now() + interval '1 hour'
      from generate_series(1, 20000) n`.execute(at.db)
  await sql`insert into account (username, email, first_name, last_name, password_hash)
    select 'u' || n, '', '', '', '' from generate_series(1, 20000) n`.execute(at.db)
  await sql`analyze`.execute(at.db)
  const plans = (run: (db: typeof at.db) => Promise<unknown>, text: RegExp, values: string[]) =>
    plansOf<Database>((work) => at.db.transaction().execute(work), run, text, values)

  const hash = hashOf(token)
  const hashText = `'\\x${hash.toString('hex')}'`
  const byHash = await plans((db) => findMetadataProxy(db, hash), /proxy m where m\.token_hash/, [
    hashText,
  ])
  assertUses(byHash, ['metadata_proxy_token_hash_key'])
  const posted = await plans((db) => updateMetadata(db, hash, '1'), /set metadata/, [
    hashText,
    `'1'`,
  ])
  assertUses(posted, ['metadata_proxy_token_hash_key'])
  const counted = await plans(
    (db) => lockAndCountProxies(db as Parameters<typeof lockAndCountProxies>[0], 'ann'),
    /as proxies/,
    [`'ann'`],
  )
  assertUses(counted, ['metadata_proxy_initiator_idx'])
  const purged = await plans((db) => deleteExpiredProxies(db), /proxy where expires_on/, [])
  assertUses(purged, ['metadata_proxy_expiry_idx'])
})

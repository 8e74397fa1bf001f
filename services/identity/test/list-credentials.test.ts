import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { actAs, system } from '@figbase/kit/rpc'
import { assertUses, plansOf } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Database } from '../src/db/schema.js'
import { listValidKeys } from '../src/queries/api-keys.js'
import { listActive } from '../src/queries/credentials.js'
import { ann, as, asAnonymous, failureOf, start } from './support/started.js'

const asSystem = actAs(system)

test('lists the users and API keys that can still sign in', async () => {
  await using at = await start('http2')
  const { tokens } = await at.client.createUser(ann, asAnonymous())
  const { key } = await at.client.createApiKey({ name: 'script' }, as('ann'))
  const id = key?.id ?? ''
  const find = async (usernames: string[], apiKeyIds: string[] = []) => {
    const found = await at.accounts.listCredentials({ usernames, apiKeyIds }, asSystem)
    const users = found.users.map((one) => [one.username, one.tokenGeneration])
    return { users, apiKeyIds: found.apiKeyIds }
  }
  const all = ['ANN', 'ann', 'nobody', '\0']
  const before = await find(all, [id, newId(), 'no id'])
  assert.deepEqual(before.apiKeyIds, [id])
  const [[username, generation] = []] = before.users
  assert.equal(before.users.length, 1)
  assert.equal(username, 'ann')

  await at.client.revokeToken({ refresh: tokens?.refresh ?? '', all: true }, asAnonymous())
  assert.deepEqual((await find(['ann'])).users, [['ann', Number(generation) + 1]])
  await at.client.deleteApiKey({ id }, as('ann'))
  assert.deepEqual((await find([], [id])).apiKeyIds, [])
  await at.db.updateTable('account').set({ is_active: false }).execute()
  assert.deepEqual((await find(['ann'])).users, [])
})

test('only the system may list credentials, at most 1000', async () => {
  await using at = await start('http2')
  for (const caller of [as('ann'), asAnonymous()]) {
    const failure = await failureOf(at.accounts.listCredentials({ usernames: ['ann'] }, caller))
    assert.equal(failure.code, Code.PermissionDenied)
  }
  const usernames = Array.from({ length: 1001 }, (_, n) => `user${n}`)
  const tooMany = await failureOf(at.accounts.listCredentials({ usernames }, asSystem))
  assert.deepEqual(tooMany.fields, ['usernames'])
  const keys = await failureOf(at.accounts.listCredentials({ apiKeyIds: usernames }, asSystem))
  assert.deepEqual(keys.fields, ['api_key_ids'])
})

test('the queries of credentials use their indexes', async () => {
  await using at = await start('local')
  await sql`insert into account (username, email, first_name, last_name)
    select 'u' || n, n || '@example.org', '', '' from generate_series(1, 20000) n`.execute(at.db)
  await sql`insert into api_key (id, owner, name, token_hash)
    select gen_random_uuid(), 'u' || n, 'key', decode(md5(n::text), 'hex') from generate_series(1, 20000) n`.execute(
    at.db,
  )
  await sql`analyze`.execute(at.db)
  const users = await plansOf<Database>(
    (work) => at.db.transaction().execute(work),
    (db) => listActive(db, ['U7', 'x']),
    /from account/,
    [`'{u7,x}'`],
  )
  assertUses(users, ['account_username_lower_key'])
  const id = newId()
  const keys = await plansOf<Database>(
    (work) => at.db.transaction().execute(work),
    (db) => listValidKeys(db, [id]),
    /from api_key/,
    [`'{${id}}'`],
  )
  assertUses(keys, ['api_key_pkey', 'account_pkey'])
})

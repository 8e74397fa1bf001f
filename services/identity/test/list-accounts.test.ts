import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, user } from '@figbase/kit/rpc'
import { AccountFilter } from '@figbase/proto/identity/accounts'
import { sql } from 'kysely'
import { accountsQuery, type ListAccountsOptions } from '../src/queries/accounts.js'
import {
  ann,
  as,
  asAnonymous,
  failureOf,
  type Started,
  start,
  type Transport,
} from './support/started.js'

const staff = actAs(user('root', true))
const all = { query: '', filter: AccountFilter.UNSPECIFIED, pageSize: 0, pageToken: '' }

async function startWithStaff(transport: Transport = 'local') {
  const at = await start(transport)
  for (const username of ['ann', 'bob', 'cyd', 'root']) {
    const email = `${username}.mail@Example.org`
    await at.client.createUser({ ...ann, username, email, lastName: '' }, asAnonymous())
  }
  const set = (username: string, row: object) =>
    at.db.updateTable('account').set(row).where('username', '=', username).execute()
  await set('root', { is_staff: true })
  await set('bob', { is_active: false })
  await set('cyd', { last_name: 'Éluard', last_sign_in: null })
  return at
}

const names = async ({ accounts }: Started, wanted: Partial<typeof all>) =>
  (await accounts.listAccounts({ ...all, ...wanted }, staff)).accounts.map((one) => one.username)

test('staff list accounts in pages, and search by name, address and state', async () => {
  await using at = await startWithStaff('http2')
  const { accounts } = await at.accounts.listAccounts(all, staff)
  const [first, , third] = accounts
  assert.equal(first?.email, 'ann.mail@Example.org')
  assert.ok(first.lastSignIn && first.dateJoined && first.isActive)
  assert.equal(third?.lastSignIn, undefined)
  assert.deepEqual(await names(at, {}), ['ann', 'bob', 'cyd', 'root'])
  assert.deepEqual(await names(at, { query: 'BOB.mail@EXAMPLE' }), ['bob'])
  assert.deepEqual(await names(at, { query: 'él' }), ['cyd'])
  assert.deepEqual(await names(at, { query: '%' }), [])
  assert.deepEqual(await names(at, { filter: AccountFilter.INACTIVE }), ['bob'])
  assert.deepEqual(await names(at, { filter: AccountFilter.ACTIVE }), ['ann', 'cyd', 'root'])

  const paged: string[] = []
  for (let pageToken = '', pages = 0; pages === 0 || pageToken; pages++) {
    const page = await at.accounts.listAccounts({ ...all, pageSize: 3, pageToken }, staff)
    paged.push(...page.accounts.map(({ username }) => username), '|')
    pageToken = page.nextPageToken
  }
  assert.deepEqual(paged, ['ann', 'bob', 'cyd', '|', 'root', '|'])
})

test('only current staff can list accounts', async () => {
  await using at = await startWithStaff()
  for (const caller of [asAnonymous(), as('ann'), actAs(user('ann', true))]) {
    const { code } = await failureOf(at.accounts.listAccounts(all, caller))
    assert.ok([Code.PermissionDenied, Code.Unauthenticated].includes(code))
  }
  const bad = await failureOf(at.accounts.listAccounts({ ...all, pageToken: '!' }, staff))
  assert.deepEqual(bad.fields, ['cursor'])
})

test('a sign-in updates last_sign_in', async () => {
  await using at = await startWithStaff()
  await at.client.issueToken({ ...ann, username: 'cyd', userAgent: 'R client' }, asAnonymous())
  const { accounts } = await at.accounts.listAccounts({ ...all, query: 'cyd' }, staff)
  assert.ok(accounts[0]?.lastSignIn)
})

test('account queries use their indexes', async () => {
  await using at = await start('local')
  await sql`insert into account (username, email, first_name, last_name, is_active)
    select 'u' || n, 'm' || n || '@example.org', 'f' || n, 'l' || n, n % 1000 > 0
      from generate_series(1, 20000) n`.execute(at.db)
  await sql`analyze`.execute(at.db)
  const wanted: ListAccountsOptions = { prefix: '', isActive: undefined, after: '', limit: 51 }
  const plan = async (query: Partial<ListAccountsOptions>) =>
    JSON.stringify(await accountsQuery(at.db, { ...wanted, ...query }).explain())
  assert.match(await plan({ after: 'u500' }), /account_pkey/)
  assert.match(await plan({ isActive: false }), /account_inactive_idx/)
  const found = await plan({ prefix: 'm777' })
  assert.match(found, /BitmapOr.*account_email_prefix_idx/)
  assert.doesNotMatch(found, /Seq Scan/)
})

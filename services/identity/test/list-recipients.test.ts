import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, system } from '@figbase/kit/rpc'
import { assertUses, plansOf } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Database } from '../src/db/schema.js'
import { listRecipients } from '../src/queries/recipients.js'
import { ann, as, asAnonymous, failureOf, type Started, start } from './support/started.js'

type Person = {
  username: string
  email?: string
  email_confirmed?: boolean
  is_active?: boolean
  deleted_on?: string
  profile?: string
}
const asSystem = actAs(system)

/** Without passwords, which are slow to hash. */
async function insert(at: Started, people: Person[]) {
  const rows = people.map((person) => ({
    first_name: 'First',
    last_name: 'Last',
    email: `${person.username}@example.org`,
    email_confirmed: true,
    ...person,
  }))
  await at.db.insertInto('account').values(rows).execute()
}

const namesOf = async (at: Started, usernames: string[]) =>
  (await at.accounts.listRecipients({ usernames }, asSystem)).recipients.map(
    ({ username }) => username,
  )

const wantsMentions = async (at: Started, username: string) =>
  (await at.accounts.listRecipients({ usernames: [username] }, asSystem)).recipients[0]
    ?.mentionEmails

test('finds recipients ignoring case, once each, with their address', async () => {
  await using at = await start('http2')
  await insert(at, [
    { username: 'Ann' },
    { username: 'bob.2+x@y', email: 'bob@example.org' },
    { username: 'carl' },
    { username: 'dora', profile: '{"mail_language":"de-CH","x":"\\u0000"}' },
    { username: 'emil', profile: '{"mention_emails":false}' },
  ])
  const usernames = [
    'emil',
    'dora',
    'BOB.2+X@Y',
    'ann',
    'ANN',
    'Ann',
    'nobody',
    'no name',
    '\0',
    '',
  ]
  const { recipients } = await at.accounts.listRecipients({ usernames }, asSystem)
  const names = {
    ...{ firstName: 'First', lastName: 'Last' },
    ...{ mailLanguage: '', mentionEmails: true },
  }
  assert.deepEqual(
    recipients.map(({ $typeName, ...recipient }) => recipient),
    [
      { username: 'Ann', email: 'Ann@example.org', ...names },
      { username: 'bob.2+x@y', email: 'bob@example.org', ...names },
      { username: 'dora', email: 'dora@example.org', ...names, mailLanguage: 'de-CH' },
      { username: 'emil', email: 'emil@example.org', ...names, mentionEmails: false },
    ],
  )
})

test('only the system may list recipients, at most 1000', async () => {
  await using at = await start('http2')
  await insert(at, [{ username: 'ann' }])
  for (const caller of [as('ann'), asAnonymous()]) {
    const failure = await failureOf(at.accounts.listRecipients({ usernames: ['ann'] }, caller))
    assert.equal(failure.code, Code.PermissionDenied)
  }
  const usernames = Array.from({ length: 1001 }, (_, n) => `user${n}`)
  const failure = await failureOf(at.accounts.listRecipients({ usernames }, asSystem))
  assert.deepEqual(failure.fields, ['usernames'])
  assert.deepEqual(await namesOf(at, [...usernames.slice(2), 'ann']), ['ann'])
})

test('omits users who are inactive, deleted or unconfirmed', async () => {
  await using at = await start('local')
  const people: Person[] = [
    { username: 'active' },
    { username: 'inactive', is_active: false },
    { username: 'deleted', is_active: false, deleted_on: 'now' },
    { username: 'unconfirmed', email_confirmed: false },
    { username: 'unreachable', email: 'a@b@c' },
  ]
  await insert(at, people)
  const found = await namesOf(
    at,
    people.map(({ username }) => username),
  )
  assert.deepEqual(found, ['active'])
})

test('says who wants mail about mentions', async () => {
  await using at = await start('local')
  await insert(at, [
    { username: 'no', profile: '{"a":"\\u0000","mention_emails":false}' },
    { username: 'silent', profile: '{"ui_data":{"mention_emails":false},"a":"\\u0000"}' },
    { username: 'yes', profile: '{"mention_emails":true}' },
  ])
  const wants = await Promise.all(['no', 'silent', 'yes'].map((name) => wantsMentions(at, name)))
  assert.deepEqual(wants, [false, true, true])
})

test('a user can turn mention mails off and on in the profile', async () => {
  await using at = await start('local')
  await insert(at, [{ username: 'ann' }])
  const update = (profileJson: string) =>
    at.accounts.updateUser({ username: 'ann', profileJson }, as('ann'))
  await update('{"mention\\u005femails": false}')
  assert.equal(await wantsMentions(at, 'ann'), false)
  const failure = await failureOf(update('{"mention_emails":"no","more":1}'))
  assert.deepEqual(failure.fields, ['user_profile.mention_emails'])
  assert.equal(await wantsMentions(at, 'ann'), false)
  const { user } = await update('{"mention_emails":true}')
  assert.equal(user?.private?.profileJson, '{"mention_emails":true}')
  assert.equal(await wantsMentions(at, 'ann'), true)
})

test('a new account is omitted until its address is confirmed', async () => {
  await using at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  assert.deepEqual(await namesOf(at, ['ann']), [])
  await at.db.updateTable('account').set({ email_confirmed: true }).execute()
  assert.deepEqual(await namesOf(at, ['ann']), ['ann'])
})

test('the recipient query uses its index', async () => {
  await using at = await start('local')
  await sql`insert into account (username, email, first_name, last_name, email_confirmed)
    select 'u' || n, n || '@example.org', '', '', true from generate_series(1, 20000) n`.execute(
    at.db,
  )
  await sql`analyze`.execute(at.db)
  const plans = await plansOf<Database>(
    (work) => at.db.transaction().execute(work),
    (db) => listRecipients(db, ['U7', 'x']),
    /from account/,
    [`'{u7,x}'`],
  )
  assertUses(plans, ['account_username_lower_key'])
})

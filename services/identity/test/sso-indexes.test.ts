import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertUses, plansOf } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Database } from '../src/db/schema.js'
import { findLinked, listTakenUsernames } from '../src/queries/external-identities.js'
import { findSessionUser } from '../src/queries/sessions.js'
import { start } from './support/started.js'

test('sign-in queries use their indexes', async () => {
  await using at = await start('local')
  await sql`insert into account (username, email, first_name, last_name)
    select 'u' || n, '', '', '' from generate_series(1, 20000) n`.execute(at.db)
  await sql`insert into external_identity (issuer, subject, username)
    select 'https://login.example.org', n::text, 'u' || n from generate_series(1, 20000) n`.execute(
    at.db,
  )
  await sql`insert into spent_token (id, expires_on)
    select gen_random_uuid(), now() from generate_series(1, 20000) n`.execute(at.db)
  await sql`insert into sign_in (id, username, kind, token_generation, user_agent, address, expires_on)
    select gen_random_uuid(), 'u' || n, 'browser', 1, '', '', now() from generate_series(1, 20000) n`.execute(
    at.db,
  )
  await sql`analyze`.execute(at.db)
  const plans = (run: (db: typeof at.db) => Promise<unknown>, text: RegExp, values: string[]) =>
    plansOf<Database>((work) => at.db.transaction().execute(work), run, text, values)

  const identity = { issuer: 'https://login.example.org', subject: '7' }
  const linked = await plans((db) => findLinked(db, identity), /from external_identity/, [
    ...[`'${identity.issuer}'`, `'7'`],
  ])
  assertUses(linked, ['external_identity_pkey'])
  const taken = await plans((db) => listTakenUsernames(db, ['u7', 'x']), /= any\(\$1/, [`'{u7,x}'`])
  assertUses(taken, ['account_username_lower_key'])
  const id = randomUUID()
  const session = { username: 'u7', isStaff: false, generation: 1, id, expiresOn: 0 }
  const holder = await plans((db) => findSessionUser(db, session), /from spent_token t/, [
    ...[`'u7'`, '1', `'${id}'`],
  ])
  assertUses(holder, ['account_pkey', 'sign_in_pkey', 'spent_token_pkey'])
})

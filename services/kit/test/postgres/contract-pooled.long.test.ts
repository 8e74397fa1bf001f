import { test } from 'node:test'
import { pgBouncerSkipReason, runSql, startPgBouncer } from '../../src/testing/index.js'
import { eventContract } from '../events/contract.js'

const missing = pgBouncerSkipReason()
if (missing) test('events behind PgBouncer', { skip: missing }, () => {})
else {
  eventContract(async () => {
    const pooler = await startPgBouncer({ url: process.env.TEST_DATABASE_URL ?? '' })
    return {
      async wipe(databaseUrl) {
        await runSql(databaseUrl, 'drop schema if exists bus cascade')
      },
      async connectionSettings(databaseUrl) {
        const database = new URL(databaseUrl).pathname.slice(1)
        const set = `alter role current_user in database ${database} set`
        const settings = ['search_path = shop', "timezone = 'UTC'", 'jit = off']
        await runSql(databaseUrl, settings.map((setting) => `${set} ${setting}`).join(';'))
        return { DATABASE_URL: pooler.through(databaseUrl), DATABASE_DIRECT_URL: databaseUrl }
      },
      [Symbol.asyncDispose]: () => pooler[Symbol.asyncDispose](),
    }
  })
}

// One of several processes that migrate a database concurrently, with a new migration for each schema.
import { schemas } from './schemas.js'
import { upgrade } from './upgrade.js'

const fresh = {
  name: '9999-at-once',
  sql: 'create table at_once (n int); insert into at_once values (1)',
}

await upgrade(
  process.env.DATABASE_URL ?? '',
  schemas.map(({ name, lists }) => ({ name, migrations: [...lists.flat(), fresh] })),
)

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql } from '@figbase/kit/testing'
import { Author, program } from './support/author.js'
import { runCommand } from './support/command.js'
import { Bench } from './support/launched.js'
import { startSeparateRoles, whyWithoutPooler } from './support/separate-roles.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

test('services with separate roles run on PostgreSQL 15 behind PgBouncer', {
  skip: whyWithoutPooler(),
}, async () => {
  const dataDir = await bench.dir()
  await using at = await startSeparateRoles(dataDir)
  const env = { DATABASE_URL: at.pooledUrl, DATABASE_DIRECT_URL: at.directUrl, LOG_LEVEL: 'warn' }
  await at.createRoles()

  const launched = await bench.start({ dataDir, env })
  const author = new Author(launched)
  await author.signUp()
  const figure = await author.newFigure()
  await author.isIntact(await author.publish(figure))

  const { rows } = await runSql(
    at.adminUrl,
    `select distinct schemaname || ' ' || tableowner as owned from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by owned`,
  )
  const owned = [
    'bus',
    'catalog',
    'comments',
    'compute',
    'identity',
    'revisions',
    'search',
    'stories-ai',
    'tasks',
  ]
  assert.deepEqual(
    rows.map((row) => row.owned),
    owned.map((name) => `${name} figbase_${name}`),
  )
  const asCatalog = at.directUrl.replace('%7Bservice%7D', 'catalog')
  await runSql(asCatalog, 'select from catalog.node')
  await assert.rejects(runSql(asCatalog, 'select from identity.migration'), { code: '42501' })

  const fsck = await runCommand(dataDir, ['fsck'], env)
  assert.equal(fsck.code, 0, fsck.output)
  const letters = await runCommand(dataDir, ['dead-letters', 'list'], env)
  assert.deepEqual(letters, { code: 0, output: 'no dead letters' })
  const pooledOnly = await runCommand(dataDir, ['fsck'], { ...env, DATABASE_DIRECT_URL: '' })
  assert.equal(pooledOnly.code, 1)
  assert.match(pooledOnly.output, /DATABASE_DIRECT_URL is not set/)

  assert.equal(await launched.stop(), 0)
  assert.doesNotMatch(launched.output, /"level"/)
})

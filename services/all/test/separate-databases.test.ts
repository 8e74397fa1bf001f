import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import {
  natsSkipReason,
  postgres15SkipReason,
  runSql,
  startNatsServer,
  startPostgresServer,
} from '@figbase/kit/testing'
import { createDatabase } from '../src/postgres/database.js'
import { servicePrograms } from '../src/programs.js'
import { Author, program } from './support/author.js'
import { runCommand } from './support/command.js'
import { Bench, until } from './support/launched.js'

const services = servicePrograms.map(({ name }) => name)
const postgres15Binaries = '/usr/lib/postgresql/15/bin'
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

test('with NATS, each schema may move to a database of its own', {
  skip: postgres15SkipReason() || natsSkipReason(),
}, async () => {
  const dataDir = await bench.dir()
  await using postgres = await startPostgresServer()
  await using nats = await startNatsServer()
  for (const name of ['all', ...services]) await createDatabase(postgres.url, `figbase_${name}`)
  const at = (name: string) => postgres.url.replace(/\/postgres$/, `/figbase_${name}`)
  const envOf = (name: string) => ({
    DATABASE_URL: at(name),
    NATS_URL: nats.url,
    LOG_LEVEL: 'error',
  })
  const start = (name: string, ...args: string[]) =>
    bench.start({ dataDir, env: envOf(name), args })

  const together = await start('all')
  const author = new Author(together)
  await author.signUp()
  const figure = await author.newFigure()
  const published = await author.publish(figure)
  await author.isIntact(published)
  assert.equal(await together.stop(), 0)
  for (const name of services) await copySchema(name, at('all'), at(name))

  const apart = await start('{service}', '--distributed')
  author.launched = apart
  await author.isIntact(published)
  await author.isIntact(await author.publish(figure))
  const placesIn = async (name: string) => {
    const { rows } = await runSql(at(name), 'select from search.place')
    return rows.length
  }
  const before = await placesIn('all')
  await until(async () => (await placesIn('search')) > before, 'events from catalog to search')
  const fsck = await runCommand(dataDir, ['fsck'], envOf('{service}'))
  assert.equal(fsck.code, 0, fsck.output)
  assert.equal(await apart.stop(), 0)
  assert.doesNotMatch(together.output + apart.output, /"level"/)
})

const run = promisify(execFile)

async function copySchema(name: string, from: string, to: string): Promise<void> {
  const { stdout } = await run(join(postgres15Binaries, 'pg_dump'), [`--schema="${name}"`, from], {
    maxBuffer: 2 ** 26,
  })
  const psql = ['--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction', to]
  const child = run(join(postgres15Binaries, 'psql'), psql)
  child.child.stdin?.end(stdout)
  await child
}

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Author, program } from './support/author.js'
import { Bench } from './support/launched.js'
import { startSeparateRoles, whyWithoutPooler } from './support/separate-roles.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

test('an installation switches to a role per service, distributed and without DATABASE_DIRECT_URL', {
  skip: whyWithoutPooler(),
}, async () => {
  const dataDir = await bench.dir()
  await using at = await startSeparateRoles(dataDir)
  const before = await bench.start({ dataDir, env: { DATABASE_URL: at.adminUrl } })
  const author = new Author(before)
  await author.signUp()
  const figure = await author.newFigure()
  await author.publish(figure)
  assert.equal(await before.stop(), 0)

  const one = await bench.dir()
  const pooledAsOne = at.pooledUrl.replace('%7Bservice%7D', 'identity')
  await at.createRoles()
  const refused = bench.launch({ dataDir: one, env: { DATABASE_URL: pooledAsOne } })
  assert.equal(await refused.ended, 1)
  assert.match(refused.output, /DATABASE_URL: the database is behind a pooler.*database-roles/)

  const env = { DATABASE_URL: at.pooledUrl, LOG_LEVEL: 'warn' }
  const after = await bench.start({ dataDir, args: ['--distributed'], env })
  assert.match(after.output, /DATABASE_DIRECT_URL is not set/)
  const again = new Author(after)
  assert.ok(await again.signIn({ username: 'ada', password: 'correct horse' }))
  await again.isIntact(await again.publish(figure))
  const second = bench.launch({ dataDir: await bench.dir(), env })
  assert.equal(await second.ended, 1)
  assert.match(second.output, /in use by another Figbase/)
  assert.equal(await after.stop(), 0)
})

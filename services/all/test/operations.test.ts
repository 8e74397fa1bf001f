import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseExposition, sampleValue } from '@figbase/kit/testing'
import { Author, program } from './support/author.js'
import { Bench, type Launched, until } from './support/launched.js'
import { createMigratedDatabase } from './support/migrated-database.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const services = [
  'catalog',
  'comments',
  'compute',
  'identity',
  'revisions',
  'search',
  'stories-ai',
  'tasks',
]
const env = { OPERATIONS_PORT: '0', LOG_LEVEL: 'error' }

async function scrape(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  return parseExposition(await response.text())
}

type Families = Awaited<ReturnType<typeof scrape>>

const valuesOf = (families: Families, family: string, label: string) => [
  ...new Set(families.get(family)?.samples.map(({ labels }) => labels[label])),
]

const notReady = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`)
  const { not_ready } = (await response.json()) as { not_ready: { name: string }[] }
  assert.equal(response.status, not_ready.length === 0 ? 200 : 503)
  return not_ready.map(({ name }) => name).sort()
}

const figureRoute = '/api/:version/figure/'

test('all-in-one: one operations port serves the metrics of the gateway and all services', async () => {
  await using database = await createMigratedDatabase()
  const launched = await bench.start({
    dataDir: await bench.dir(),
    env: { ...env, DATABASE_URL: database.url },
  })
  const port = Number(/metrics {2}port (\d+)/.exec(launched.output)?.[1])
  const author = new Author(launched)
  await author.signUp()
  await author.newFigure()
  assert.deepEqual(await notReady(port), [])
  const families = await scrape(port)
  const created = { method: 'POST', route: figureRoute, status: '201' }
  assert.equal(sampleValue(families, 'figbase_http_requests_total', created), 1)
  assert.deepEqual(valuesOf(families, 'figbase_db_pool_waiting', 'service').sort(), services)
  assert.ok(valuesOf(families, 'figbase_outbox_waiting', 'service').includes('catalog'))
  assert.ok(valuesOf(families, 'figbase_jobs_waiting', 'service').includes('revisions'))
  assert.ok(valuesOf(families, 'figbase_rpc_calls_total', 'service').includes('catalog'))
  for (const { samples } of families.values()) {
    for (const { labels } of samples) {
      assert.doesNotMatch(Object.values(labels).join(), /ada|[0-9a-f]{8}-[0-9a-f]{4}/)
    }
  }
  await database[Symbol.asyncDispose]()
  const databases = services.map((name) => `${name} database`)
  await until(
    async () => (await notReady(port)).length >= databases.length,
    'the failure to be detected',
  )
  assert.deepEqual(
    (await notReady(port)).filter((name) => databases.includes(name)),
    databases,
  )
  const rest = await scrape(port)
  assert.equal(sampleValue(rest, 'figbase_http_requests_total', created), 1)
  assert.deepEqual(valuesOf(rest, 'figbase_outbox_waiting', 'service'), [])
  launched.child.kill('SIGKILL')
  await launched.ended
})

test('distributed: each process has its own operations port, printed at startup', async () => {
  const launched = await bench.start({ dataDir: await bench.dir(), args: ['--distributed'], env })
  const ports = portsOf(launched)
  assert.deepEqual([...ports.keys()].sort(), [
    'catalog',
    'comments',
    'compute',
    'gateway',
    'identity',
    'revisions',
    'search',
    'stories-ai',
    'tasks',
  ])
  for (const [name, port] of ports) {
    assert.deepEqual(await notReady(port), [], name)
    const families = await scrape(port)
    assert.deepEqual(
      valuesOf(families, 'figbase_db_pool_waiting', 'service'),
      name === 'gateway' ? [] : [name],
    )
  }
  const author = new Author(launched)
  await author.signUp()
  await author.newFigure()
  const gateway = await scrape(ports.get('gateway') ?? 0)
  const created = { method: 'POST', route: figureRoute, status: '201' }
  assert.equal(sampleValue(gateway, 'figbase_http_requests_total', created), 1)
  const catalog = await scrape(ports.get('catalog') ?? 0)
  const call = { method: 'CatalogService/CreateNode', code: 'Ok' }
  assert.ok((sampleValue(catalog, 'figbase_rpc_calls_total', call) ?? 0) >= 3)
  assert.equal(await launched.stop(), 0)
})

test('without OPERATIONS_PORT no port is opened; a malformed one is rejected', async () => {
  const launched = await bench.start({ dataDir: await bench.dir(), env: { LOG_LEVEL: 'error' } })
  assert.doesNotMatch(launched.output, /metrics/)
  assert.equal(await launched.stop(), 0)
  for (const args of [[], ['--distributed']]) {
    const dataDir = await bench.dir()
    const refused = bench.launch({ dataDir, args, env: { ...env, OPERATIONS_PORT: 'x' } })
    assert.equal(await refused.ended, 1)
    assert.match(refused.output, /OPERATIONS_PORT: 'x' is not valid/)
  }
})

/** Parses `catalog on port 1, gateway on port 2`. */
function portsOf({ output }: Launched): Map<string, number> {
  const words = /metrics {2}(.+)/.exec(output)?.[1] ?? ''
  return new Map(
    [...words.matchAll(/([\w-]+) on port (\d+)/g)].map(([, name = '', port]) => [
      name,
      Number(port),
    ]),
  )
}

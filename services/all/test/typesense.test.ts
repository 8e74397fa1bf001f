import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTypesenseServer } from '@figbase/search/testing/typesense'
import { Author, type Created, program } from './support/author.js'
import { Bench, until } from './support/launched.js'
import { createMigratedDatabase } from './support/migrated-database.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

/** How long a search may take that cannot reach its server. */
const refusalMsMax = 2000

test('without Typesense, searches are unavailable at once and all else works; nothing is missing when it is back', async () => {
  await using database = await createMigratedDatabase()
  await using typesense = await startTypesenseServer()
  const launched = await bench.start({
    dataDir: await bench.dir(),
    env: {
      OPERATIONS_PORT: '0',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: database.url,
      TYPESENSE_URL: typesense.url,
      TYPESENSE_API_KEY: typesense.apiKey,
    },
  })
  const operations = /metrics {2}port (\d+)/.exec(launched.output)?.[1]
  const degraded = async () => {
    const response = await fetch(`http://127.0.0.1:${operations}/readyz`)
    const { degraded: found } = (await response.json()) as { degraded: object[] }
    assert.equal(response.status, 200)
    return found
  }
  const author = new Author(launched)
  await author.signUp()
  const newWorkspace = (name: string) => author.json<Created>('POST', 'workspace/', { name })
  const search = (query: string, type = 'keyword') =>
    author.request('POST', 'search/', { search_type: type, query })
  const finds = async (query: string, id: string) => {
    const response = await search(query)
    if (response.status !== 200) return false
    const found = (await response.json()) as { object: { api_id: string } }[]
    return found.map(({ object }) => object.api_id).join() === id
  }
  const first = await newWorkspace('Chlorophyll')
  await until(() => finds('chlorophyll', first.api_id), 'the first object to be found')
  assert.deepEqual(await degraded(), [])

  await typesense.stop()
  for (const type of ['keyword', 'text', 'semantic']) {
    const begun = performance.now()
    const refused = await search('chlorophyll', type)
    const ms = performance.now() - begun
    const { error } = (await refused.json()) as { error: string }
    assert.deepEqual([refused.status, error], [503, 'search_unavailable'], type)
    assert.ok(ms < refusalMsMax, `${type}: ${ms} ms`)
  }
  const second = await newWorkspace('Carotene')
  await author.json('PATCH', `workspace/${first.api_id}/`, { name: 'Xanthophyll' })
  assert.equal((await author.request('GET', `workspace/${second.api_id}/`)).status, 200)
  const unavailable = [{ name: 'Typesense', why: 'does not answer' }]
  await until(async () => {
    const found = await degraded()
    if (found.length > 0) assert.deepEqual(found, unavailable)
    return found.length > 0
  }, 'Typesense to be reported')

  await typesense.restart()
  await until(() => finds('carotene', second.api_id), 'what was added meanwhile to be found')
  await until(() => finds('xanthophyll', first.api_id), 'what was changed meanwhile to be found')
  assert.ok(!(await finds('chlorophyll', first.api_id)))
  await until(async () => (await degraded()).length === 0, 'Typesense to be available')
  assert.deepEqual([...new Set(typesense.problems)], [])
})

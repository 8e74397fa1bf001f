import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { startSilentServer } from '@figbase/kit/testing'
import { documentOf, everything, workspace } from '../src/engine/contract.js'
import { type Filter, type SearchEngine, SearchUnavailable } from '../src/engine/port.js'
import { createTypesenseEngine } from '../src/engine/typesense/typesense-engine.js'
import { parseQuery } from '../src/text/parse-query.js'
import { startTypesenseServer } from './typesense-server.js'
import { noModel, settingsOf } from './typesense-settings.js'

const server = await startTypesenseServer()
const engine = createTypesenseEngine(settingsOf(server), noModel)
after(async () => {
  await server[Symbol.asyncDispose]()
  assert.deepEqual([...new Set(server.problems)], [])
})

let generation = 0
beforeEach(async () => {
  server.fault = () => undefined
  generation++
  await engine.create(generation)
  await engine.publish(generation)
  server.requests.length = 0
})

const page = { limit: 10, offset: 0, withHighlights: true }
const find = (text: string, filter: Filter = everything, by: SearchEngine = engine) =>
  by.find(parseQuery(text, 'all'), filter, page)
const idsOf = async (text: string, filter: Filter = everything) =>
  (await find(text, filter)).map(({ id }) => id)

/** Asserts that its server is unavailable, each method fails with SearchUnavailable, and returns the messages. */
async function unavailable(by: SearchEngine): Promise<string[]> {
  const document = documentOf({ name: 'apples' })
  const calls = [
    () => find('apples', everything, by),
    () => by.create(generation + 1),
    () => by.write(generation, [document]),
    () => by.place(generation, [document]),
    () => by.remove(generation, [document.id]),
    () => by.publish(generation),
    () => by.drop(generation + 1),
  ]
  assert.equal(await by.server?.isAvailable(), false)
  return Promise.all(
    calls.map(async (call) => {
      const err: unknown = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(err instanceof SearchUnavailable, `${String(call)}: ${String(err)}`)
      assert.doesNotMatch(JSON.stringify({ ...err, message: err.message }), /API key of the tests/)
      return err.message
    }),
  )
}

test('without its server, the engine is unavailable, and works again when it is back', async () => {
  const document = documentOf({ name: 'apples' })
  await engine.write(generation, [document])
  await server.stop()
  const messages = await unavailable(engine)
  assert.match(messages[0] ?? '', /ECONNREFUSED/)
  await server.restart()
  assert.equal(await engine.server?.isAvailable(), true)
  assert.deepEqual(await idsOf('apples'), [document.id])
})

test('a server that fails makes the engine unavailable', async () => {
  for (const status of [429, 500, 503]) {
    server.fault = () => ({ status, body: { message: 'Not Ready or Lagging' } })
    for (const message of await unavailable(engine)) assert.match(message, new RegExp(`${status}`))
  }
  server.fault = ({ path }) =>
    path === '/multi_search'
      ? { status: 200, body: { results: Array(3).fill({ code: 503, error: 'Not Ready' }) } }
      : undefined
  await assert.rejects(find('apples'), SearchUnavailable)
})

test('a failed call is repeated only a few times', async () => {
  server.fault = () => ({ status: 503, body: { message: 'Not Ready or Lagging' } })
  await assert.rejects(find('apples'), SearchUnavailable)
  assert.equal(server.requests.length, 2)
})

test('an unresponsive server makes the engine unavailable after the timeout', async () => {
  await using silent = await startSilentServer()
  const url = `http://${silent.host}`
  const settings = settingsOf({ ...server, url }, { searchTimeoutMs: 50, writeTimeoutMs: 50 })
  const messages = await unavailable(createTypesenseEngine(settings, noModel))
  assert.match(messages[0] ?? '', /did not respond within 50 ms/)
})

test('an answer that is not from Typesense makes the engine unavailable', async () => {
  server.fault = () => ({ status: 502, body: '<html>Bad gateway</html>' })
  await unavailable(engine)
  server.problems.length = 0
})

test('a wrong API key fails with what to do', async () => {
  const settings = settingsOf({ ...server, apiKey: 'another API key of the tests' })
  for (const message of await unavailable(createTypesenseEngine(settings, noModel)))
    assert.match(message, /refuses TYPESENSE_API_KEY: set it to a key with the actions/)
})

test('an import with rejected documents writes the others', async () => {
  const documents = ['apples', 'pears', 'plums'].map((name) => documentOf({ name }))
  const [apples, pears, plums] = documents
  assert.ok(apples && pears && plums)
  const rejected = await engine.write(generation, [
    apples,
    { ...pears, createdOn: 'not a date' },
    { ...documentOf({ name: 'quinces' }), id: '`] || hidden:=true' },
    plums,
  ])
  assert.deepEqual([...rejected.keys()].sort(), ['`] || hidden:=true', pears.id].sort())
  assert.match(rejected.get(pears.id) ?? '', /created_on/)
  assert.match(rejected.get('`] || hidden:=true') ?? '', /not a UUID/)
  assert.deepEqual(await idsOf('plums'), [plums.id])
})

test('large imports and searches are split into requests', async () => {
  const settings = settingsOf(server, { requestBytesMax: 4000 })
  const small = createTypesenseEngine(settings, noModel)
  const documents = Array.from({ length: 40 }, (_, n) => documentOf({ name: `apples ${n}` }))
  assert.equal((await small.write(generation, documents)).size, 0)
  const imports = server.requests.filter(({ path }) => path.endsWith('/import'))
  assert.ok(imports.length > 1)
  for (const { body } of imports) assert.ok(String(body).length < 5000)
  assert.equal((await find('apples 7', everything, small)).length, 1)
  const terms = Array.from({ length: 30 }, (_, n) => `apples${n}x`).join(' ')
  server.requests.length = 0
  await engine.find(parseQuery(terms, 'any'), everything, page)
  const searches = server.requests.map(({ body }) => (body as { searches: object[] }).searches)
  assert.ok(searches.every(({ length }) => length <= 50))
})

test('many documents are removed', async () => {
  const documents = Array.from({ length: 120 }, () => documentOf({ name: 'apples' }))
  await engine.write(generation, documents)
  await engine.remove(
    generation,
    documents.map(({ id }) => id),
  )
  assert.deepEqual(await idsOf('apples'), [])
})

test('a filter may have 5000 roots', async () => {
  const document = documentOf({ name: 'apples' })
  await engine.write(generation, [document, documentOf({ name: 'apples' }, other())])
  const roots = Array.from({ length: 5000 }, () => randomUUID())
  assert.deepEqual(await idsOf('apples', { roots, recent: [] }), [])
  const withOwn = [...roots.slice(1), workspace]
  assert.deepEqual(await idsOf('apples', { roots: withOwn, recent: roots }), [document.id])
})

const other = () => ({ workspaceId: randomUUID() })
/** Texts that would end a list or a value, or add a condition, if they were part of an expression. */
const hostile = [
  '`',
  '`] || hidden:=false || below:=[`',
  ') || hidden:=false || (hidden:=true',
  'x] || hidden:=[true,false',
  'apples" || "',
  `${workspace}] || hidden:=[true,false`,
  ',',
  '&& hidden:=true',
  '*',
]

test('no id changes the filter', async () => {
  const foreign = documentOf({ name: 'apples' }, other())
  const hidden = documentOf({ name: 'apples' }, { hiddenBy: workspace })
  const own = documentOf({ name: 'apples' })
  await engine.write(generation, [foreign, hidden, own])
  for (const text of hostile) {
    assert.deepEqual(await idsOf('apples', { roots: [text], recent: [text] }), [], text)
    const filter = { roots: [text, workspace], recent: [text] }
    assert.deepEqual(await idsOf('apples', filter), [own.id], text)
    await engine.remove(generation, [text])
  }
  assert.deepEqual(await idsOf('apples'), [own.id])
})

test('no query changes the filter', async () => {
  const foreign = documentOf({ name: 'apples hidden true' }, other())
  const own = documentOf({ name: 'pears' })
  await engine.write(generation, [foreign, own])
  const [request] = await filtersOf('apples')
  for (const text of hostile) {
    for (const query of [text, `apples ${text}`, `"${text}" apples`, `apples -${text}`]) {
      const found = await idsOf(query)
      assert.ok(!found.includes(foreign.id), query)
      for (const filter of await filtersOf(query)) assert.equal(filter, request)
    }
  }
})

async function filtersOf(text: string): Promise<(string | undefined)[]> {
  server.requests.length = 0
  await engine.find(parseQuery(text, 'any'), everything, { ...page, withHighlights: false })
  return server.requests.flatMap(({ body }) =>
    (body as { searches: { filter_by?: string }[] }).searches.map((one) => one.filter_by),
  )
}

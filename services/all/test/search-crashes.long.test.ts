import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Author, type Created, program } from './support/author.js'
import { beginJob, inDatabase } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process at each step of the indexing, of a rebuild, and of the jobs for vectors and pictures. After a
 * restart, every figure is found once, also while an index is being built; no change is left, and one index remains.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d' }
const place = bench.dir().then(async (dataDir) => {
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const figure = await author.newFigure()
  const { analysis } = await author.json<{ analysis: string }>('GET', `figure/${figure}/`)
  assert.equal(await author.launched.stop(), 0)
  return { dataDir, author, analysis }
})

const around = (name: string) => [`search.${name}.before`, `search.${name}.after`]

async function found(author: Author, query: string) {
  const body = { search_type: 'keyword', query }
  const results = await author.json<{ object: Created }[]>('POST', 'search/', body)
  return results.map(({ object }) => object.api_id)
}

/** Waits until all changes are indexed, and only the live index is left. `meanwhile` runs each time before. */
const isSettled = (dataDir: string, meanwhile = async () => {}) =>
  inDatabase(dataDir, 'search', (client) =>
    until(async () => {
      await meanwhile()
      const { rows } = await client.query<{ left: number }>(
        `select (select count(*) from change) + (select count(*) from job where name = any($1))
           + (select count(*) from index_generation where state <> 'live')
           + (select count(*) - 1 from pg_inherits where inhparent = 'entry'::regclass) as left`,
        [['rebuild-index', 'embed-figure', 'read-picture']],
      )
      return Number(rows[0]?.left) === 0
    }, 'the end of the indexing'),
  )

/** An event that is left of the start before may reach the point during the startup: then once more. */
async function startToFail(dataDir: string, point: string, more = {}) {
  const failing = { dataDir, env: { ...env, ...more, FAIL_AT: point } }
  try {
    return await bench.start(failing)
  } catch {
    const sound = await bench.start({ dataDir, env })
    await isSettled(dataDir)
    assert.equal(await sound.stop(), 0)
    return bench.start(failing)
  }
}

async function killedAt(point: string, act: (author: Author, name: string) => Promise<void>) {
  const { dataDir, author, analysis } = await place
  const name = `w${randomUUID().replaceAll('-', '').slice(0, 11)}x`
  author.launched = await bench.start({ dataDir, env })
  const { api_id: id } = await author.json<Created>('POST', 'figure/', { name, analysis })
  await until(async () => (await found(author, name)).length > 0, 'the figure to be indexed')
  await isSettled(dataDir)
  assert.equal(await author.launched.stop(), 0)
  author.launched = await startToFail(dataDir, point)
  await act(author, id).catch(() => {})
  await until(() => author.launched.hasEnded(), `the kill at ${point}`)
  assert.equal(await author.launched.ended, 'SIGKILL')
  author.launched = await bench.start({ dataDir, env })
  const isFound = async () => assert.deepEqual(await found(author, name), [id])
  await isSettled(dataDir, isFound)
  await isFound()
  assert.equal(await author.launched.stop(), 0)
}

for (const point of ['before:1', 'after:1', 'before:2', 'after:2']) {
  test(`the indexing of a change survives a kill at search.write.${point}`, () =>
    killedAt(`search.write.${point}`, async (author, id) => {
      await author.json('PATCH', `figure/${id}/`, { description: 'changed' })
    }))
}

for (const point of [
  ...around('ListAllNodes').flatMap((name) => [`${name}:1`, `${name}:2`]),
  ...around('rebuild-index'),
  ...['begun', 'committing', 'committed'].map((when) => `search.tx.${when}`),
]) {
  test(`a rebuild survives a kill at ${point}`, () =>
    killedAt(point, async () => {
      const { dataDir } = await place
      await beginJob(dataDir, 'search', 'rebuild-index')
    }))
}

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><circle cx="320" cy="200" r="120"/></svg>'
const image = Buffer.from(picture).toString('base64')
const models = { EMBEDDER: 'bundled' }

for (const point of [...around('embed-figure'), ...around('read-picture')]) {
  test(`a figure gets its vector and its picture after a kill at ${point}`, async () => {
    const { dataDir, author, analysis } = await place
    author.launched = await startToFail(dataDir, point, models)
    const described = { name: 'circle', description: 'a circle in the middle', analysis }
    const { api_id: figure } = await author.json<Created>('POST', 'figure/', described)
    const data = [{ name: 'circle.svg', type: 'image', data: image }]
    const { api_id: id } = await author.json<Created>('POST', 'revision/', { figure, data })
    await until(() => author.launched.hasEnded(), `the kill at ${point}`)
    assert.equal(await author.launched.ended, 'SIGKILL')
    author.launched = await bench.start({ dataDir, env: { ...env, ...models } })
    await until(async () => {
      const path = `revision/${id}/status/`
      return (await author.json<{ search: string }>('GET', path)).search === 'indexed'
    }, 'the revision to be indexed')
    for (const body of [
      { search_type: 'image', image, k: 100 },
      { search_type: 'semantic', query: 'a round shape', k: 100 },
    ]) {
      const results = await author.json<{ object: Created }[]>('POST', 'search/', body)
      const ids = results.map(({ object }) => object.api_id)
      assert.equal(ids.filter((one) => one === id).length, 1, body.search_type)
    }
    await isSettled(dataDir)
    assert.equal(await author.launched.stop(), 0)
  })
}

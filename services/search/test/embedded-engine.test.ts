import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { documentOf, everything, searchEngineContract } from '../src/engine/contract.js'
import { createEmbeddedEngine } from '../src/engine/embedded/embedded-engine.js'
import { findLimits } from '../src/engine/embedded/limits.js'
import { fieldNames, type IndexedDocument } from '../src/engine/port.js'
import { parseQuery } from '../src/text/parse-query.js'
import { type EngineDatabase, startEngineDatabase, writePlaces } from './engine-service.js'

let starting: Promise<EngineDatabase> | undefined
let second: Promise<EngineDatabase> | undefined
after(async () => {
  await (await starting)?.[Symbol.asyncDispose]()
  await (await second)?.[Symbol.asyncDispose]()
})

const engineOn = ({ db }: EngineDatabase, limits = findLimits) => ({
  engine: createEmbeddedEngine(db, limits),
  writePlaces: (documents: IndexedDocument[]) => writePlaces(db, documents),
  rejected: { ...documentOf({ name: 'rejected' }), id: 'not a UUID' },
})

searchEngineContract('embedded', async () => {
  starting ??= startEngineDatabase()
  return engineOn(await starting)
})

// Each word is one that too many documents have.
searchEngineContract('embedded, frequent words', async () => {
  second ??= startEngineDatabase()
  return engineOn(await second, { ...findLimits, matchedMax: 0 })
})

test('words in one field rank above words in several, words in order above both', async () => {
  starting ??= startEngineDatabase()
  const { engine, writePlaces } = engineOn(await starting)
  const generation = 2_000_000
  await engine.create(generation)
  const names = async (text: string, documents: IndexedDocument[]) => {
    await writePlaces(documents)
    await engine.write(generation, documents)
    await engine.publish(generation)
    const hits = await engine.find(parseQuery(text, 'all'), everything, {
      ...{ limit: 10, offset: 0, withHighlights: false },
    })
    await engine.remove(
      generation,
      documents.map(({ id }) => id),
    )
    return hits.map(({ id }) => documents.find((one) => one.id === id)?.fields.name)
  }
  const close = [
    documentOf({ name: 'heatmap', description: 'of survival' }),
    documentOf({ name: 'survival of the heatmap' }),
    documentOf({ name: 'heatmap survival' }),
    documentOf({ name: 'code', code: 'heatmap survival' }),
    documentOf({ name: 'a stem', description: 'heatmaps survival' }),
  ]
  assert.deepEqual(await names('heatmap survival', close), [
    ...['heatmap survival', 'survival of the heatmap', 'heatmap', 'a stem', 'code'],
  ])
  const long = [
    documentOf({ name: 'one', description: 'the survival of all mice that were treated' }),
    documentOf({ name: 'two', description: 'the survival of mice', code: 'x '.repeat(500) }),
  ]
  assert.deepEqual(await names('survival', long), ['two', 'one'])
  const parts = [documentOf({ name: 'IL receptor 6' }), documentOf({ name: 'IL-6 receptor' })]
  assert.deepEqual(await names('il6 receptor', parts), ['IL-6 receptor'])
})

test('any document can be written, and any query be asked', async () => {
  starting ??= startEngineDatabase()
  const { db } = await starting
  const engine = createEmbeddedEngine(db)
  const generation = 3_000_000
  await engine.create(generation)
  const random = seededRandom(1)
  const ranges = [0x20, 0x80, 0x300, 0x3000, 0xd7ff, 0x10000]
  const textOf = (length: number) => {
    const end = ranges[Math.floor(random() * ranges.length)] ?? 0x80
    return Array.from({ length }, () => String.fromCharCode(random() * end)).join('')
  }
  const fieldsOf = (length: number) =>
    Object.fromEntries(fieldNames.map((name) => [name, textOf(random() * length)]))
  const small = Array.from({ length: 300 }, () => documentOf(fieldsOf(100)))
  const unique = Array.from({ length: 8000 }, (_, n) => `${n}x${n * 7}`).join(' ')
  const all = Object.fromEntries(fieldNames.map((name) => [name, `${unique} ${name}`]))
  const large = [documentOf(all), documentOf(fieldsOf(30_000))]
  const last = documentOf({ name: 'the last one' })
  const documents = [...small, ...large, last]
  await writePlaces(db, documents)
  assert.deepEqual(await engine.write(generation, documents), new Map())
  await engine.publish(generation)
  const page = { limit: 20, offset: 0, withHighlights: true }
  for (let times = 0; times < 100; times++) {
    const query = parseQuery(textOf(30) + textOf(30), times % 2 ? 'all' : 'any')
    await engine.find(query, everything, page)
  }
  const [hit] = await engine.find(parseQuery('"the last one"', 'all'), everything, page)
  assert.equal(hit?.id, last.id)
})

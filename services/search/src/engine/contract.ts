import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { parseQuery } from '../text/parse-query.js'
import { rankingContract } from './contract-ranking.js'
import { wordsContract } from './contract-words.js'
import type { Filter, Generation, IndexedDocument, SearchEngine, TextHit } from './port.js'

export type EngineUnderTest = {
  engine: SearchEngine
  /** Records the places of documents, as the service does before it calls the engine. */
  writePlaces(documents: IndexedDocument[]): Promise<void>
  /** A document that the engine rejects. */
  rejected: IndexedDocument
}

export const workspace: string = randomUUID()
export const everything: Filter = { roots: [workspace], recent: [] }

/** A figure in the workspace of the tests, made of the given fields and members. */
export function documentOf(
  fields: IndexedDocument['fields'],
  members: Partial<IndexedDocument> = {},
): IndexedDocument {
  const id = randomUUID()
  return {
    ...{ id, type: 'figure', workspaceId: workspace, analysisId: null, itemId: id, hiddenBy: null },
    ...{ createdOn: '2024-01-01T00:00:00.000Z', fields },
    ...members,
  }
}

export type Asked = {
  filter?: Filter
  match?: 'all' | 'any'
  limit?: number
  offset?: number
  withHighlights?: boolean
}

/** An engine with an index of its own for each test. */
export type ContractIndex = {
  open(): Promise<EngineUnderTest>
  /** Makes an index of these documents the live one. */
  index(documents: IndexedDocument[]): Promise<Generation>
  find(text: string, asked?: Asked): Promise<TextHit[]>
  /** The names of the hits, in their order. */
  names(text: string, asked?: Asked): Promise<string[]>
}

/** What every engine must do. `open` returns an engine without generations, the same one each time. */
export function searchEngineContract(name: string, open: () => Promise<EngineUnderTest>): void {
  let generation = 0
  let written: IndexedDocument[] = []
  const index = async (documents: IndexedDocument[]) => {
    const { engine, writePlaces } = await open()
    const before = generation
    generation++
    written = documents
    await engine.create(generation)
    await writePlaces(documents)
    assert.deepEqual(await engine.write(generation, documents), new Map())
    await engine.publish(generation)
    if (before > 0) await engine.drop(before)
    return generation
  }
  const find = async (text: string, asked: Asked = {}) => {
    const { filter = everything, match = 'all', limit = 10, offset = 0 } = asked
    const { withHighlights = false } = asked
    const { engine } = await open()
    return engine.find(parseQuery(text, match), filter, { limit, offset, withHighlights })
  }
  const names = async (text: string, asked: Asked = {}) => {
    const hits = await find(text, asked)
    return hits.map(({ id }) => written.find((one) => one.id === id)?.fields.name ?? id)
  }
  const contract: ContractIndex = { open, index, find, names }
  emptyContract(name, contract)
  filterContract(name, contract)
  generationContract(name, contract)
  wordsContract(name, contract)
  rankingContract(name, contract)
}

function emptyContract(name: string, { open, index, find }: ContractIndex) {
  test(`${name}: finds nothing without a live generation`, async () => {
    assert.deepEqual(await find('anything'), [])
  })

  test(`${name}: an empty query finds nothing`, async () => {
    await index([documentOf({ name: 'apples' })])
    for (const text of ['', ' ', '-', '"', '""', '-apples', '!!! & | ()', '\0', '\ud800', '🍎'])
      assert.deepEqual(await find(text), [], text)
  })

  test(`${name}: has a name and a version, and its server works`, async () => {
    const { engine } = await open()
    assert.equal(await engine.server?.isAvailable(), engine.server && true)
    assert.match(engine.name, /^\w+$/)
    assert.notEqual(await engine.version(), '')
  })
}

function filterContract(name: string, { index, names, open }: ContractIndex) {
  const other = randomUUID()

  test(`${name}: finds what is at or below one of the roots`, async () => {
    const [analysisId, itemId, id] = [randomUUID(), randomUUID(), randomUUID()]
    await index([
      documentOf({ name: 'apples 1' }),
      documentOf({ name: 'apples 2' }, { workspaceId: other, analysisId }),
      documentOf({ name: 'apples 3' }, { workspaceId: other, itemId }),
      documentOf({ name: 'apples 4' }, { workspaceId: other, id, itemId: null }),
      documentOf({ name: 'apples 5' }, { workspaceId: randomUUID() }),
    ])
    const below = async (...roots: string[]) =>
      (await names('apples', { filter: { roots, recent: [] } })).sort()
    assert.deepEqual(await below(workspace), ['apples 1'])
    assert.deepEqual(await below(other), ['apples 2', 'apples 3', 'apples 4'])
    assert.deepEqual(await below(analysisId), ['apples 2'])
    assert.deepEqual(await below(itemId, id), ['apples 3', 'apples 4'])
    assert.deepEqual(await below(workspace, workspace, analysisId), ['apples 1', 'apples 2'])
    assert.deepEqual(await below(randomUUID()), [])
    assert.deepEqual(await below(), [])
  })

  test(`${name}: finds hidden objects only below a recent one`, async () => {
    const hidden = documentOf({ name: 'apples' }, { hiddenBy: workspace })
    await index([hidden])
    assert.deepEqual(await names('apples'), [])
    const recent = (id: string): Filter => ({ roots: [], recent: [id] })
    assert.deepEqual(await names('apples', { filter: recent(workspace) }), ['apples'])
    assert.deepEqual(await names('apples', { filter: recent(hidden.id) }), ['apples'])
    assert.deepEqual(await names('apples', { filter: recent(other) }), [])
  })

  test(`${name}: finds the asked types`, async () => {
    await index([
      documentOf({ name: 'figure apples' }),
      documentOf({ name: 'asset apples' }, { type: 'asset' }),
      documentOf({ name: 'analysis apples' }, { type: 'analysis' }),
    ])
    const of = async (types: Filter['types']) =>
      (await names('apples', { filter: { ...everything, ...(types && { types }) } })).sort()
    assert.deepEqual(await of(['asset']), ['asset apples'])
    assert.deepEqual(await of(['asset', 'analysis']), ['analysis apples', 'asset apples'])
    assert.deepEqual(await of(['figure_revision']), [])
    assert.equal((await of(undefined)).length, 3)
  })

  test(`${name}: finds documents with all tokens of the metadata, also without words`, async () => {
    const [red, blue] = ['aa'.repeat(16), 'bb'.repeat(16)]
    await index([
      documentOf({ name: 'apples 1' }, { metadata: [red], createdOn: '2024-01-01T00:00:00.000Z' }),
      documentOf({ name: 'pears 2' }, { metadata: [red], createdOn: '2024-01-03T00:00:00.000Z' }),
      documentOf(
        { name: 'apples 3' },
        { metadata: [blue, red], createdOn: '2024-01-02T00:00:00.000Z' },
      ),
      documentOf({ name: 'apples 4' }),
      documentOf({ name: 'apples 5' }, { metadata: [red], workspaceId: other }),
      documentOf({ name: red }),
    ])
    const of = (text: string, metadata: string[], asked = {}) =>
      names(text, { filter: { ...everything, metadata }, ...asked })
    assert.deepEqual(await of('', [red]), ['pears 2', 'apples 3', 'apples 1'])
    assert.deepEqual(await of('', [red], { limit: 1, offset: 1 }), ['apples 3'])
    assert.deepEqual(await of('', [red, blue]), ['apples 3'])
    assert.deepEqual((await of('apples', [red])).sort(), ['apples 1', 'apples 3'])
    const some = await of('apples pears', [red], { match: 'any' })
    assert.deepEqual(some.sort(), ['apples 1', 'apples 3', 'pears 2'])
    assert.deepEqual(await of('', ['cc'.repeat(16)]), [])
    assert.deepEqual(await of('-apples', [red]), [])
    assert.deepEqual(await of('', []), [])
  })

  test(`${name}: follows a document that gets another place`, async () => {
    const { engine, writePlaces } = await open()
    const document = documentOf({ name: 'apples' })
    const generation = await index([document])
    const filter = { roots: [other], recent: [] }
    assert.deepEqual(await names('apples', { filter }), [])
    const moved = { ...document, workspaceId: other }
    await writePlaces([moved])
    await engine.place(generation, [moved])
    await engine.place(generation, [moved])
    assert.deepEqual(await names('apples', { filter }), ['apples'])
    assert.deepEqual(await names('apples'), [])
    const hidden = { ...moved, hiddenBy: other }
    await writePlaces([hidden])
    await engine.place(generation, [hidden])
    assert.deepEqual(await names('apples', { filter }), [])
  })

  test(`${name}: the limit counts only what the filter allows`, async () => {
    const foreign = Array.from({ length: 30 }, () =>
      documentOf({ name: 'apples apples' }, { workspaceId: other }),
    )
    await index([...foreign, documentOf({ name: 'sour apples' })])
    assert.deepEqual(await names('apples', { limit: 1 }), ['sour apples'])
    assert.deepEqual(await names('apples pears', { limit: 1, match: 'any' }), ['sour apples'])
  })
}

function generationContract(name: string, { open, index, names }: ContractIndex) {
  test(`${name}: writes, replaces and removes documents, also repeatedly`, async () => {
    const { engine } = await open()
    const document = documentOf({ name: 'apples' })
    const generation = await index([document, documentOf({ name: 'apples and pears' })])
    await engine.create(generation)
    for (let times = 0; times < 2; times++) await engine.write(generation, [document, document])
    assert.equal((await names('apples')).length, 2)
    const changed = { ...document, fields: { name: 'cherries' } }
    for (let times = 0; times < 2; times++) await engine.write(generation, [changed])
    assert.deepEqual(await names('apples'), ['apples and pears'])
    assert.equal((await names('cherries')).length, 1)
    for (let times = 0; times < 2; times++)
      await engine.remove(generation, [document.id, randomUUID()])
    assert.deepEqual(await names('cherries'), [])
    await engine.write(generation, [])
    await engine.remove(generation, [])
  })

  test(`${name}: rejects a document without affecting the others`, async () => {
    const { engine, rejected } = await open()
    const document = documentOf({ name: 'apples' })
    const generation = await index([])
    await (await open()).writePlaces([document])
    const reasons = await engine.write(generation, [rejected, document])
    assert.deepEqual([...reasons.keys()], [rejected.id])
    assert.notEqual(reasons.get(rejected.id), '')
    assert.equal((await names('apples')).length, 1)
  })

  test(`${name}: a new generation replaces the live one when it is published`, async () => {
    const { engine, writePlaces } = await open()
    const [old, recent] = [documentOf({ name: 'apples' }), documentOf({ name: 'pears' })]
    const live = await index([old, recent])
    const next = live + 1_000_000
    for (let times = 0; times < 2; times++) await engine.create(next)
    await writePlaces([recent])
    await engine.write(next, [recent])
    assert.deepEqual(await names('apples'), ['apples'])
    for (let times = 0; times < 2; times++) await engine.publish(next)
    assert.deepEqual(await names('apples'), [])
    assert.deepEqual(await names('pears'), ['pears'])
    await assert.rejects(engine.drop(next))
    await engine.publish(live)
    for (let times = 0; times < 2; times++) await engine.drop(next)
    assert.deepEqual(await names('apples'), ['apples'])
    await engine.drop(next + 1)
  })

  test(`${name}: two callers may do the same at the same time`, async () => {
    const { engine, writePlaces } = await open()
    const documents = Array.from({ length: 50 }, (_, n) =>
      documentOf({ name: `apples ${n} concurrently` }),
    )
    await index([])
    const generation = await index(documents)
    const next = generation + 1_000_000
    await writePlaces(documents)
    const twice = (work: () => Promise<unknown>) => Promise.all([work(), work()])
    await twice(() => engine.create(next))
    const shuffled = [...documents].reverse()
    await Promise.all([engine.write(next, documents), engine.write(next, shuffled)])
    await twice(() => engine.publish(next))
    assert.equal((await names('apples', { limit: 100 })).length, 50)
    const ids = documents.map(({ id }) => id)
    await Promise.all([engine.remove(next, ids), engine.remove(next, [...ids].reverse())])
    assert.deepEqual(await names('apples'), [])
    await engine.publish(generation)
    await twice(() => engine.drop(next))
  })
}

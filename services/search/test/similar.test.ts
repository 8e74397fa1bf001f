import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import { SearchType } from '@figbase/proto/search'
import { sql } from 'kysely'
import sharp from 'sharp'
import { sameFrom } from '../src/pictures/index.js'
import { figures } from './drawings.js'
import { as, type Started, start } from './test-service.js'
import type { Thing } from './world.js'

// With the models: their processes start once.
let started: Started
let analysis: Thing
const revisions = new Map<string, Thing>()
before(async () => {
  started = await start({ env: { EMBEDDER: 'bundled', OCR_ENABLED: 'true' } })
  const { world } = started
  const workspace = world.add(NodeType.WORKSPACE)
  analysis = world.add(NodeType.ANALYSIS, workspace)
  world.share('ann', workspace)
  for (const [name, draw] of Object.entries(figures)) {
    const figure = world.add(NodeType.FIGURE, analysis)
    revisions.set(name, world.add(NodeType.FIGURE_REVISION, figure, { picture: await draw() }))
  }
  await started.index(...world.things.values())
  await read()
})
after(() => started[Symbol.asyncDispose]())

/** Waits until all pictures are read and all texts are embedded. */
async function read() {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from likeness
       where (picture <> '' and picture is distinct from picture_read)
          or passages_hash is distinct from embedded_hash
    `.execute(started.ctx.db)
    if (rows[0]?.waiting === 0) break
    await sleep(50)
  }
  await started.settled()
}

async function results(request: object, username = 'ann') {
  const { results: found } = await started.client.search({ limit: 5, ...request }, as(username))
  return found.map(({ node, score }) => ({ id: node?.id ?? '', score }))
}

const byImage = (image: Uint8Array, username?: string) =>
  results({ type: SearchType.IMAGE, image }, username)
const byMeaning = (query: string, username?: string) =>
  results({ type: SearchType.SEMANTIC, query }, username)

test('a picture is found by a copy in another size and format, and others score lower', async () => {
  for (const [name, { id, picture }] of revisions) {
    const copy = await sharp(picture).resize(800).webp().toBuffer()
    const [first, second] = await byImage(copy)
    assert.equal(first?.id, id, name)
    assert.ok((first?.score ?? 0) >= sameFrom, `${name}: ${first?.score}`)
    assert.ok((second?.score ?? 0) < sameFrom, `${name}: ${second?.score}`)
  }
})

test('the same picture in several revisions is found in all, the newest first', async () => {
  const { world, index } = started
  const [first] = revisions.values()
  const figure = world.add(NodeType.FIGURE, analysis)
  const again = world.add(NodeType.FIGURE_REVISION, figure, { picture: first?.picture })
  await index(figure, again)
  await read()
  const found = await byImage(first?.picture as Buffer)
  assert.deepEqual(
    found.slice(0, 2).map(({ id }) => id),
    [again.id, first?.id],
  )
  assert.equal(found[0]?.score, found[1]?.score)
})

test('figures are found by what they mean, and by rare words', async () => {
  const { world, index } = started
  const add = (name: string, code = '') => {
    const figure = world.add(NodeType.FIGURE, analysis, { name })
    return [figure, world.add(NodeType.FIGURE_REVISION, figure, { code })] as const
  }
  const rain = add('Monthly precipitation in Seattle')
  const cars = add('Fuel consumption of automobiles')
  const rare = add('Assay TNFRSF10B')
  await index(...rain, ...cars, ...rare)
  await read()
  const firstOf = async (query: string) => (await byMeaning(query))[0]?.id
  assert.equal(await firstOf('rainfall and weather'), rain[1].id)
  assert.equal(await firstOf('how much petrol a car needs'), cars[1].id)
  assert.equal(await firstOf('TNFRSF10B'), rare[1].id)
  for (const { id } of await byMeaning('precipitation'))
    assert.equal(world.things.get(id)?.type, NodeType.FIGURE_REVISION)
})

test('text that is drawn in a picture is found', async () => {
  const { world, index, find } = started
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200">
    <rect width="600" height="200" fill="white"/>
    <text x="40" y="110" font-size="48" font-family="sans-serif">Chlorophyll density</text></svg>`
  const picture = await sharp(Buffer.from(svg)).png().toBuffer()
  const figure = world.add(NodeType.FIGURE, analysis)
  const revision = world.add(NodeType.FIGURE_REVISION, figure, { picture })
  await index(figure, revision)
  await read()
  assert.deepEqual(await find('ann', 'chlorophyll'), [revision.id])
})

test('neither search shows what the caller may not view', async () => {
  const [first] = revisions.values()
  assert.deepEqual(await byImage(first?.picture as Buffer, 'eve'), [])
  assert.deepEqual(await byMeaning('precipitation', 'eve'), [])
  started.world.share('bob', first as Thing)
  const found = await byImage(first?.picture as Buffer, 'bob')
  assert.deepEqual(
    found.map(({ id }) => id),
    [first?.id],
  )
})

test('rejects what is no picture, and an empty or too large one', async () => {
  for (const image of [Buffer.from('no picture'), Buffer.alloc(0), Buffer.alloc(6 * 2 ** 20 + 1)]) {
    const error = await byImage(image).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ConnectError)
    assert.equal(error.code, Code.InvalidArgument)
    assert.equal(detailOf(error)?.fields[0]?.field, 'image')
  }
})

test('another process of the service has the same vectors and pictures, without reading them again', async () => {
  const { world, databaseUrl } = started
  world.calls.clear()
  await using other = await start({
    world,
    databaseUrl,
    env: { EMBEDDER: 'bundled' },
    settle: false,
  })
  const [first] = revisions.values()
  const request = { type: SearchType.IMAGE, image: first?.picture as Buffer }
  const { results: found } = await other.client.search(request, as('ann'))
  assert.ok(found.some(({ node }) => node?.id === first?.id))
  assert.equal(world.calls.get('readThumbnails'), undefined)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { NodeType } from '@figbase/proto/catalog'
import { SearchType } from '@figbase/proto/search'
import { sql } from 'kysely'
import { startEmbeddingServer } from '../src/embedding/openai/embedding-server.js'
import { rebuildIndex } from '../src/indexing/rebuild.js'
import { insertChanges } from '../src/queries/changes.js'
import { as, type Started, start } from './test-service.js'
import { startTypesenseServer } from './typesense-server.js'

const server = await startTypesenseServer()
const embedding = await startEmbeddingServer()
after(async () => {
  await embedding[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  assert.deepEqual([...new Set(server.problems)], [])
})
const env = { TYPESENSE_URL: server.url, TYPESENSE_API_KEY: server.apiKey }
const withModel = {
  ...env,
  TYPESENSE_COLLECTION_PREFIX: 'with_vectors',
  EMBEDDER: 'openai',
  EMBEDDER_URL: embedding.url,
  EMBEDDER_KEY: 'secret-key',
  EMBEDDER_MODEL: 'a-model',
  EMBEDDER_DIMENSIONS: '64',
}

test('the service starts without Typesense, and indexes when it is there', async () => {
  await server.stop()
  await using started = await start({ env, settle: false })
  const { world, find } = started
  const workspace = world.add(NodeType.WORKSPACE, undefined, { name: 'apples' })
  world.share('ann', workspace)
  await assert.rejects(find('ann', 'apples'), /search is not available/)
  await server.restart()
  await started.index(workspace)
  assert.deepEqual(await find('ann', 'apples'), [workspace.id])
})

async function byMeaning({ client }: Started, query: string, username = 'ann') {
  const request = { type: SearchType.SEMANTIC, query, limit: 10 }
  const { results } = await client.search(request, as(username))
  return results.map(({ node }) => node?.id ?? '')
}

/** Waits until each revision has its vector, also in the index. */
async function embedded({ ctx, settled }: Started, count: number) {
  for (;;) {
    const { rows } = await sql`select from likeness where vector is not null`.execute(ctx.db)
    if (rows.length === count) break
    await sleep(20)
  }
  // The job saves the vector before it records the change.
  await sleep(200)
  await settled()
}

test('Typesense finds figures by what they mean, and no thread holds the vectors', async () => {
  const threads: Worker[] = []
  const onThread = (thread: Worker) => void threads.push(thread)
  process.on('worker', onThread)
  await using started = await start({ env: withModel })
  process.off('worker', onThread)
  assert.equal(threads.length, 1, 'that of the pictures')
  const { world, ctx, index } = started
  const workspace = world.add(NodeType.WORKSPACE)
  const other = world.add(NodeType.WORKSPACE)
  world.share('ann', workspace)
  world.share('bob', other)
  const figures = ['monthly rainfall', 'fuel of cars'].map((name) =>
    world.add(NodeType.FIGURE, workspace, { name }),
  )
  const revisions = figures.map((figure) => world.add(NodeType.FIGURE_REVISION, figure))
  const [rain = '', cars = ''] = revisions.map(({ id }) => id)
  await index(...world.things.values())
  await embedded(started, 2)
  // Words that no figure has: only its vector finds it.
  const unknown = 'zebra quokka'
  const both = [rain, cars].sort()
  assert.deepEqual((await byMeaning(started, unknown)).sort(), both)
  assert.equal((await byMeaning(started, 'rainfall zebra'))[0], rain)
  assert.deepEqual(await byMeaning(started, unknown, 'bob'), [])

  const texts = embedding.requests.length
  await rebuildIndex(ctx, new AbortController().signal, () => {})
  assert.deepEqual((await byMeaning(started, unknown)).sort(), both)
  const [figure] = figures
  assert.ok(figure)
  figure.parent = other
  await insertChanges(ctx.db, [figure.id])
  await index(...revisions)
  assert.deepEqual(await byMeaning(started, unknown), [cars])
  assert.deepEqual(await byMeaning(started, unknown, 'bob'), [rain])
  figure.isDeleted = true
  await index(figure, ...revisions)
  assert.deepEqual(await byMeaning(started, unknown, 'bob'), [])
  const embeddedAgain = embedding.requests
    .slice(texts)
    .filter(({ input }) => input.some((text) => /rainfall|cars/.test(text)))
  assert.deepEqual(embeddedAgain, [], 'nothing is computed again')
})

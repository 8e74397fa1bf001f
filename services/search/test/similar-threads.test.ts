import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import { SearchType } from '@figbase/proto/search'
import { sql } from 'kysely'
import { startEmbeddingServer } from '../src/embedding/openai/embedding-server.js'
import { figures } from './drawings.js'
import { as, type Started, start } from './test-service.js'
import type { Thing } from './world.js'

const threads: Worker[] = []
const onThread = (thread: Worker) => void threads.push(thread)

const embedding = await startEmbeddingServer()
let started: Started
let revision: Thing
before(async () => {
  process.on('worker', onThread)
  started = await start({
    env: {
      EMBEDDER: 'openai',
      EMBEDDER_URL: embedding.url,
      EMBEDDER_KEY: 'secret-key',
      EMBEDDER_MODEL: 'a-model',
      EMBEDDER_DIMENSIONS: '64',
      // Less than the delay before another thread is started.
      SEARCH_LOAD_TIMEOUT: '700ms',
    },
  })
  const { world, ctx } = started
  const workspace = world.add(NodeType.WORKSPACE)
  world.share('ann', workspace)
  const figure = world.add(NodeType.FIGURE, workspace, { name: 'rainfall' })
  const [draw] = Object.values(figures)
  revision = world.add(NodeType.FIGURE_REVISION, figure, { picture: await draw?.() })
  await started.index(...world.things.values())
  const hasAll = async () =>
    (
      await sql`select from likeness where vector is not null and picture_local is not null`.execute(
        ctx.db,
      )
    ).rows.length === 1
  while (!(await hasAll())) await sleep(20)
})
after(async () => {
  process.off('worker', onThread)
  await started[Symbol.asyncDispose]()
  await embedding[Symbol.asyncDispose]()
})

async function idsOf(request: object): Promise<string[]> {
  const { results } = await started.client.search({ limit: 5, ...request }, as('ann'))
  return results.map(({ node }) => node?.id ?? '')
}
// No word of the figure, but a text that is as near as any.
const byMeaning = () => idsOf({ type: SearchType.SEMANTIC, query: 'weather' })
const byPicture = () => idsOf({ type: SearchType.IMAGE, image: revision.picture as Buffer })

async function untilFound(search: () => Promise<string[]>) {
  const deadline = performance.now() + 20_000
  for (;;) {
    const found = await search().catch(() => [])
    if (found.join() === revision.id) return
    assert.ok(performance.now() < deadline, `found: ${found.join()}`)
    await sleep(20)
  }
}

// The threads in the order of their start.
for (const [at, what, search, other] of [
  [0, 'meaning', byMeaning, byPicture],
  [1, 'a picture', byPicture, byMeaning],
] as const) {
  test(`without its thread, a search by ${what} is unavailable for a while, and others are not`, async () => {
    await untilFound(search)
    await threads[at]?.terminate()
    await assert.rejects(search(), (err) => {
      assert.ok(err instanceof ConnectError)
      assert.deepEqual([err.code, detailOf(err)?.error], [Code.Unavailable, 'search_unavailable'])
      return true
    })
    assert.equal((await started.find('ann', 'rainfall')).length, 1)
    assert.deepEqual(await other(), [revision.id])
    await untilFound(search)
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOptions, Client } from '@connectrpc/connect'
import { actAs, user } from '@figbase/kit/rpc'
import type { Service } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { SearchService, SearchType } from '@figbase/proto/search'
import type { Ctx } from '../src/context.js'
import { search } from '../src/index.js'
import { insertChanges } from '../src/queries/changes.js'
import { type Thing, World } from './world.js'

export type Started = AsyncDisposable & {
  client: Client<typeof SearchService>
  ctx: Ctx
  world: World
  databaseUrl: string
  /** Records changes as the consumer does, and waits until they are indexed. */
  index(...things: (Thing | { id: string })[]): Promise<void>
  /** Waits until nothing is left to index. */
  settled(): Promise<void>
  /** The ids that the user finds with all words of the query. */
  find(username: string, query: string, more?: object): Promise<string[]>
}

const settledMsMax = 20_000

export const as = (username: string): CallOptions => actAs(user(username))

export type StartOptions = {
  world?: World
  /** Database of another instance. */
  databaseUrl?: string
  env?: Record<string, string>
  /** False: does not wait until all is indexed. */
  settle?: boolean
  /** Changes the context. */
  prepare?(ctx: Ctx): Ctx
}

/** Starts the service with stubs of the others. */
export async function start(options: StartOptions = {}): Promise<Started> {
  const { world = new World(), databaseUrl, env = {}, prepare = (ctx) => ctx } = options
  let ctx: Ctx | undefined
  const observed: Service = {
    ...search,
    context: (kit, cfg) => {
      ctx = prepare(search.context(kit, cfg))
      return ctx
    },
  }
  const started = await startTestService(observed, {
    transport: 'local',
    peers: world.peers,
    // Models are slow to start: only the tests that need them have them.
    env: { EMBEDDER: 'none', OCR_ENABLED: 'false', SEARCHES_PER_MINUTE_MAX: '1000000', ...env },
    ...(databaseUrl !== undefined && { databaseUrl }),
  })
  if (!ctx) throw new Error('the service did not create a context')
  const { db, indexer } = ctx
  const client = started.client(SearchService)
  const settled = async () => {
    const end = Date.now() + settledMsMax
    for (;;) {
      const { pending, isBuilding } = await client.getIndexState({}, actAs(user('root', true)))
      if (pending === 0n && !isBuilding) return
      if (Date.now() > end) throw new Error(`${pending} changes are not indexed`)
      await sleep(10)
    }
  }
  if (options.settle !== false) await settled()
  return {
    client,
    ctx,
    world,
    databaseUrl: started.databaseUrl,
    settled,
    async index(...things) {
      await insertChanges(
        db,
        things.map(({ id }) => id),
      )
      indexer.wake()
      await settled()
    },
    async find(username, query, more = {}) {
      const request = { type: SearchType.KEYWORD, query, limit: 100, ...more }
      const { results } = await client.search(request, as(username))
      return results.map(({ node }) => node?.id ?? '')
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

import { type AnyJob, defineJob, type Job } from '@figbase/kit/jobs'
import { defineTaskJob, type TaskName } from '@figbase/kit/tasks'
import type { Ctx } from '../context.js'
import { dropOld } from '../indexing/drop-old.js'
import { rebuildIndex } from '../indexing/rebuild.js'
import {
  beginGeneration,
  listGenerations,
  publishGeneration,
  retireGeneration,
} from '../queries/generations.js'
import { rebuildKey, rebuildName } from './rebuild-name.js'

const day = 24 * 3_600_000

/** Builds the first index of an installation that has objects already. */
export const rebuildJob: Job<Ctx, object> = defineJob<Ctx, object>({
  ...rebuildName,
  timeoutMs: day,
  concurrencyMax: 1,
  async run(ctx, _, signal) {
    const { objects } = await rebuildIndex(ctx, signal, () => {})
    ctx.log.info({ objects }, 'the search index was built')
  },
})

/** The same on behalf of an administrator. */
export const reindex: TaskName<object> = { name: 'reindex', type: 'reindex', attemptsMax: 1000 }

export const reindexJob: AnyJob<Ctx> = defineTaskJob<Ctx, object>(reindex, {
  timeoutMs: day,
  async run(ctx, _, task) {
    return rebuildIndex(ctx, task.signal, ({ objects, total }) =>
      task.progress(Math.floor((100 * objects) / Math.max(1, total)), `${objects} of ${total}`),
    )
  },
})

/** Opens the live index. A new installation, or one with another engine, gets an empty one, which a job then fills. */
export async function ensureIndex(ctx: Ctx): Promise<void> {
  const { db, engine, log } = ctx
  await dropOld(ctx)
  const expected = await engine.version()
  const live = (await listGenerations(db)).find(({ state }) => state === 'live')
  if (live?.engine !== engine.name) {
    await createFirst(ctx)
  } else if (live.version !== expected) {
    const { version: found } = live
    log.warn({ found, expected }, 'the search index is outdated: run `figbase-server reindex`')
  }
}

/** Several processes may do the same at once. */
async function createFirst({ db, engine, transact, enqueue }: Ctx) {
  const building = async () => (await listGenerations(db)).find(({ state }) => state === 'building')
  const begun = await building()
  if (begun && begun.engine !== engine.name) await retireGeneration(db, begun.generation)
  await beginGeneration(db, { engine: engine.name, version: await engine.version(), total: '0' })
  const first = await building()
  if (!first) return
  await engine.create(first.generation)
  await engine.publish(first.generation)
  await transact(async (tx) => {
    await publishGeneration(tx, first.generation)
    await enqueue(tx, rebuildJob, {}, { key: rebuildKey })
  })
}

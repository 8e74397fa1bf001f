import { setTimeout as sleep } from 'node:timers/promises'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { countRebuilt, insertRebuilt } from '../queries/changes.js'
import {
  advanceGeneration,
  beginGeneration,
  type IndexGeneration,
  listGenerations,
  publishGeneration,
  retireGeneration,
} from '../queries/generations.js'
import { dropOld } from './drop-old.js'

const pageMax = 500
/** Objects that wait at once, so that a rebuild takes little space. */
const waitingMax = 2000
const pollMs = 200

export type RebuildProgress = { objects: number; total: number }

/**
 * Builds a new index beside the live one, which is searched meanwhile, and then replaces it. The indexer writes all
 * objects to both, after the objects that change meanwhile. Continues an interrupted build of the same version.
 */
export async function rebuildIndex(
  ctx: Ctx,
  signal: AbortSignal,
  report: (progress: RebuildProgress) => void,
): Promise<RebuildProgress> {
  const { db, catalog, indexer } = ctx
  const asSystem = { ...actAsSystem(), signal }
  const building = await openBuilding(ctx, signal)
  const { generation } = building
  let added = Number(building.objects)
  const waitForIndexer = async (max: number) => {
    for (;;) {
      const waiting = await countRebuilt(db)
      const objects = Math.max(0, added - waiting)
      report({ objects, total: Math.max(added, Number(building.total)) })
      if (waiting <= max) return
      await sleep(pollMs, undefined, { signal })
    }
  }
  for (let pageToken: string | undefined = building.page_token; pageToken !== undefined; ) {
    await waitForIndexer(waitingMax)
    const page = await catalog.listAllNodes({ pageToken, pageSize: pageMax }, asSystem)
    await insertRebuilt(db, page.ids)
    indexer.wake()
    added += page.ids.length
    pageToken = page.nextPageToken || undefined
    if (pageToken) await advanceGeneration(db, { generation, pageToken, added: page.ids.length })
  }
  await waitForIndexer(0)
  await replaceLive(ctx, generation)
  return { objects: added, total: added }
}

/** A generation that was begun by another version is dropped. */
async function openBuilding(ctx: Ctx, signal: AbortSignal): Promise<IndexGeneration> {
  const { db, engine, catalog } = ctx
  const { name } = engine
  const version = await engine.version()
  const begun = await buildingOf(ctx)
  if (begun && (begun.engine !== name || begun.version !== version))
    await retireGeneration(db, begun.generation)
  await dropOld(ctx)
  const first = await catalog.listAllNodes({ pageSize: 1 }, { ...actAsSystem(), signal })
  await beginGeneration(db, { engine: name, version, total: String(first.totalCount) })
  const building = await buildingOf(ctx)
  if (!building) throw new Error('the new index was not recorded')
  await engine.create(building.generation)
  return building
}

const buildingOf = async ({ db }: Ctx) =>
  (await listGenerations(db)).find(({ state }) => state === 'building')

async function replaceLive(ctx: Ctx, generation: number) {
  await ctx.engine.publish(generation)
  await ctx.transact((tx) => publishGeneration(tx, generation))
  await dropOld(ctx)
}

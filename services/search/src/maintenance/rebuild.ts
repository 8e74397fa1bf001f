import { type Database, statement } from '@figbase/kit/db'
import { openData } from '@figbase/kit/service'
import { migrations } from '../db/migrations/index.js'
import type { Database as Tables } from '../db/schema.js'
import { rebuildKey, rebuildName } from '../jobs/rebuild-name.js'
import { countRebuilt } from '../queries/changes.js'
import { listGenerations } from '../queries/generations.js'

/** A rebuild as the database shows it: not begun, the numbers of objects, or finished. */
export type RebuildState = 'waiting' | 'finished' | { objects: number; total: number }

export type RequestedRebuild = AsyncDisposable & { read(): Promise<RebuildState> }

export type RebuildOptions = {
  database: Database
  /** The environment of the service. */
  env: Record<string, string | undefined>
}

/** Requests a new index, which the service builds while it runs. Throws SchemaOutdated. */
export async function requestRebuild({ database, env }: RebuildOptions): Promise<RequestedRebuild> {
  const data = await openData<Tables>('search', migrations, database, env)
  const { db } = data
  const newest = async () => (await newestGeneration(db))[0]?.generation ?? 0
  const before = await newest()
  await data.enqueue(db, rebuildName, {}, { key: rebuildKey })
  return {
    async read() {
      const generations = await listGenerations(db)
      const live = generations.find(({ state }) => state === 'live')
      const building = generations.find(({ state }) => state === 'building')
      if (live && live.generation > before) return 'finished'
      if (!building) return 'waiting'
      const added = Number(building.objects)
      const objects = Math.max(0, added - (await countRebuilt(db)))
      return { objects, total: Math.max(Number(building.total), added) }
    },
    [Symbol.asyncDispose]: () => data[Symbol.asyncDispose](),
  }
}

const newestGeneration = statement<{ generation: number }>(`
  select max(generation) as generation from index_generation where state = 'live'`)

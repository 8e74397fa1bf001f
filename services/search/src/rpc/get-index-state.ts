import { requireStaff } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { countChanges } from '../queries/changes.js'
import { listGenerations } from '../queries/generations.js'
import { countPlaces } from '../queries/places.js'
import type { Impl } from '../routes.js'

export function getIndexState({ db, engine, similar }: Ctx): Impl['getIndexState'] {
  return async (_, call) => {
    requireStaff(call)
    const generations = await listGenerations(db)
    const live = generations.find(({ state }) => state === 'live')
    return {
      engine: engine.name,
      embedder: (await similar).embedders?.queries.model ?? '',
      objects: await countPlaces(db),
      pending: await countChanges(db),
      isOutdated: live?.engine !== engine.name || live.version !== (await engine.version()),
      isBuilding: generations.some(({ state }) => state === 'building'),
    }
  }
}

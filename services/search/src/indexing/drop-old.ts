import type { Ctx } from '../context.js'
import { deleteGeneration, listGenerations } from '../queries/generations.js'

/** Drops old indexes of this engine, also those that a killed process has left. May be repeated. */
export async function dropOld({ db, engine }: Pick<Ctx, 'db' | 'engine'>): Promise<void> {
  for (const one of await listGenerations(db)) {
    if (one.state !== 'old' || one.engine !== engine.name) continue
    await engine.drop(one.generation)
    await deleteGeneration(db, one.generation)
  }
}

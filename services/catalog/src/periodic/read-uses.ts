import { actAsSystem } from '@figbase/kit/rpc'
import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { listWithUnknownUses, replaceUses } from '../queries/asset-uses.js'

const batchMax = 500

/**
 * Reads the uses of figure revisions from the owning service: of those that were published before catalog stored uses, or
 * by a process of a release that did not send them.
 */
export const readUses: Periodic<Ctx> = {
  name: 'read-uses',
  everyMs: 10_000,
  idleMsMax: 60_000,
  async run({ db, revisions }, signal) {
    let after = 0n
    for (;;) {
      const batch = await listWithUnknownUses(db, after, batchMax)
      const last = batch.at(-1)
      if (!last) return after > 0n
      const ids = batch.map(({ id }) => id)
      const { uses } = await revisions.readAssetUses({ ids }, { ...actAsSystem(), signal })
      const known = new Map(uses.map((one) => [one.figureRevisionId, one]))
      await replaceUses(
        db,
        ids.map((id) => {
          const { version = 0, assetRevisionIds = [] } = known.get(id) ?? {}
          return { id, version, usedIds: assetRevisionIds }
        }),
      )
      after = last.seq
    }
  },
}

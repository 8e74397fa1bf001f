import { invalid } from '@figbase/kit/errors'

type Stored = { id: string; size_bytes: bigint; position: number | null }

/** The data of a revision after an update. Positions start at 0 and have no gaps. */
export type DataPlan<Live, New> = {
  /** All data objects after the update, in order. */
  all: (Live | New)[]
  /** Stored data objects that get another position. */
  moved: { id: string; position: number }[]
  added: { object: New; position: number }[]
  /** Ids of the data objects that are removed. */
  detached: string[]
  /** In bytes. Negative when the data shrinks. */
  growth: bigint
}

/**
 * `list` replaces the stored data, or is appended to it. An id in `list` keeps that data object. Throws
 * `invalid` for an id that the revision does not have.
 */
export function planData<Live extends Stored, New extends { size: bigint }>(
  live: Live[],
  list: (New | string)[],
  mode: 'replace' | 'append',
): DataPlan<Live, New> {
  const stored = new Map(live.map((one) => [one.id, one]))
  const plan: DataPlan<Live, New> = { all: [], moved: [], added: [], detached: [], growth: 0n }
  const keep = (one: Live) => {
    stored.delete(one.id)
    const position = plan.all.push(one) - 1
    if (position !== one.position) plan.moved.push({ id: one.id, position })
  }
  if (mode === 'append') live.forEach(keep)
  for (const [index, one] of list.entries()) {
    if (typeof one === 'string') {
      const kept = stored.get(one)
      if (!kept) throw invalid(`data[${index}].api_id`, 'does not exist in this revision')
      keep(kept)
    } else {
      plan.added.push({ object: one, position: plan.all.length })
      plan.all.push(one)
      plan.growth += one.size
    }
  }
  for (const { id, size_bytes } of stored.values()) {
    plan.detached.push(id)
    plan.growth -= size_bytes
  }
  return plan
}

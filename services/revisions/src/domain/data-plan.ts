import { invalid } from '@figbase/kit'

type Stored = { id: string; size_bytes: bigint; position: number | null }

/** What the data of a revision becomes; positions are gapless from zero. */
export type DataPlan<Live, New> = {
  /** All of it, in order. */
  all: (Live | New)[]
  /** Those that stay at another place. */
  moved: { id: string; position: number }[]
  added: { object: New; position: number }[]
  /** Those that go. */
  detached: string[]
  /** In bytes; negative when it shrinks. */
  growth: bigint
}

/**
 * `list` replaces what is there, save for what it names by its id, or comes after it. Throws `invalid` for
 * an id that is none of the live ones.
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
      if (!kept) throw invalid(`data[${index}].api_id`, 'this revision has no such data object')
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

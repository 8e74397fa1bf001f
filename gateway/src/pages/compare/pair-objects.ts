import type { DataObject } from '@figbase/proto/revisions'

/** The objects of two revisions with the same type and name. */
export type Pair = { before: DataObject | undefined; after: DataObject | undefined }
export type State = 'same' | 'changed' | 'added' | 'removed'

/** Pairs objects with the same type and name in their order. Several may have the same. */
export function pairObjects(before: DataObject[], after: DataObject[]): Pair[] {
  const keyOf = ({ type, name }: DataObject) => `${type} ${name ?? ''}`
  const waiting = new Map<string, DataObject[]>()
  // From the last one on, so that the first one is popped first.
  for (const object of [...after].reverse()) {
    const key = keyOf(object)
    const others = waiting.get(key)
    if (others) others.push(object)
    else waiting.set(key, [object])
  }
  const paired = before.map((object) => ({
    before: object,
    after: waiting.get(keyOf(object))?.pop(),
  }))
  const added = new Set([...waiting.values()].flat())
  return [
    ...paired,
    ...after
      .filter((object) => added.has(object))
      .map((object) => ({ before: undefined, after: object })),
  ]
}

export function stateOf({ before, after }: Pair): State {
  if (!before) return 'added'
  if (!after) return 'removed'
  return before.hash !== '' && before.hash === after.hash ? 'same' : 'changed'
}

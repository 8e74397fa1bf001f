import { contentKey, type SlotContent, type SlotKind } from './git-slots.js'
import type { Wanted } from './git-wanted.js'

/** What an earlier import has made for a path. */
export type Slot = {
  id: string
  kind: SlotKind
  path: string
  name: string
  /** Null: no revision was imported yet. */
  content: SlotContent | null
}

export type Step<S extends Slot> = {
  wanted: Wanted
  /** Undefined: there is none yet. */
  slot: S | undefined
  /** It had another path. */
  isRenamed: boolean
  /** It needs a new revision. */
  isChanged: boolean
}

/**
 * Finds the slot of everything that is wanted: that of the path, or else that of a path that was renamed, or whose
 * pictures are the same, and that is no longer there. Other slots stay as they are.
 */
export function planImport<S extends Slot>(
  wanted: Wanted[],
  slots: S[],
  renames: Map<string, string>,
): Step<S>[] {
  const byPath = new Map(slots.map((slot) => [`${slot.kind} ${slot.path}`, slot]))
  const present = new Set(wanted.map(({ kind, path }) => `${kind} ${path}`))
  const left = slots.filter(
    ({ kind, path, content }) =>
      kind !== 'analysis' && content !== null && !present.has(`${kind} ${path}`),
  )
  const orphans = indexOrphans(left, renames)
  const missing = wanted.filter(({ kind, path }) => !byPath.has(`${kind} ${path}`))
  const found = new Map<Wanted, S>()
  for (const take of [orphans.takeRenamed, orphans.takeAlike]) {
    for (const one of missing) {
      const slot = found.has(one) ? undefined : take(one)
      if (slot) found.set(one, slot)
    }
  }
  return wanted.map((one) => {
    const own = byPath.get(`${one.kind} ${one.path}`)
    const slot = own ?? found.get(one)
    const isChanged = !slot?.content || contentKey(slot.content) !== contentKey(one.content)
    return { wanted: one, slot, isRenamed: slot !== undefined && slot !== own, isChanged }
  })
}

/** Slots whose paths are gone, each to be taken once. */
function indexOrphans<S extends Slot>(slots: S[], renames: Map<string, string>) {
  const byNewPath = new Map<string, S>()
  const byContent = new Map<string, S[]>()
  for (const slot of slots) {
    for (const path of mainPaths(slot)) {
      const renamed = renames.get(path)
      const key = `${slot.kind} ${renamed}`
      if (renamed !== undefined && !byNewPath.has(key)) byNewPath.set(key, slot)
    }
    const key = mainKey(slot)
    const alike = byContent.get(key)
    if (alike) alike.push(slot)
    else byContent.set(key, [slot])
  }
  const taken = new Set<S>()
  const take = (slots: (S | undefined)[]): S | undefined => {
    const free = slots.find((slot) => slot !== undefined && !taken.has(slot))
    if (free) taken.add(free)
    return free
  }
  return {
    takeRenamed: (wanted: Wanted) =>
      take(mainPaths(wanted).map((path) => byNewPath.get(`${wanted.kind} ${path}`))),
    takeAlike: (wanted: Wanted) => take(byContent.get(mainKey(wanted)) ?? []),
  }
}

type WithContent = Pick<Slot, 'kind' | 'content'>

/** The pictures of a figure, the data of an asset. */
const mainFiles = ({ kind, content }: WithContent) =>
  (content?.files ?? []).filter(({ role }) => role === (kind === 'figure' ? 'image' : 'data'))

const mainPaths = (one: WithContent) => mainFiles(one).map(({ path }) => path)

const mainKey = (one: WithContent) =>
  `${one.kind} ${mainFiles(one)
    .map(({ blob }) => blob)
    .join(' ')}`

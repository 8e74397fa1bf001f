/** The told revisions that the readers of a story see, and the user who opened each. */
export type Opened = Record<string, string>

type Change = {
  /** Undefined: unchanged. */
  visible: boolean | undefined
  wasVisible: boolean
  before: Opened
  /** All told revisions after the change. */
  told: string[]
  author: string
  /** Whether the author may open a revision. */
  mayOpen(id: string): boolean
}

/** What is open after a change. What was opened stays open while the story tells it. */
export function openedAfter({ visible, wasVisible, before, told, author, mayOpen }: Change) {
  const isVisible = visible ?? wasVisible
  const opened: Opened = {}
  if (!isVisible) return { isVisible, opened }
  for (const id of told) {
    const by = Object.hasOwn(before, id) ? before[id] : mayOpen(id) ? author : undefined
    if (by !== undefined) opened[id] = by
  }
  return { isVisible, opened }
}

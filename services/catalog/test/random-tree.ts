import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Node, NodeType } from '@figbase/proto/catalog'

export type ModelNode = {
  id: string
  type: NodeType
  /** Since when it is where, the newest last. */
  places: { from: bigint; parent: ModelNode | undefined }[]
  size: bigint
  /** Each by the answer to whoever did it, in any order. */
  deletions: number
  restorations: number
  updates: number
  /** Whether an update was applied after it, or what it is in, was deleted. */
  isLate: boolean
  /** The newest version of its content that its owner began, and the one whose size it has. */
  begun: number
  applied: number
  /** When something happened at the node itself, and by whom. */
  events: Event[]
}

/** What is reserved first counts where the node is when it is activated: some time until then. */
type Event = { at: bigint; until?: bigint; by: string }

/** What a tree must come to, recorded from the answers to its callers: sums by adding up. */
export class ModelTree {
  readonly nodes: ModelNode[] = []

  add(node: Node, parent: ModelNode | undefined, size = 0n): ModelNode {
    const { id, type, createdBy: by, createdOn } = node
    const events = [{ at: microsOf(createdOn), until: microsNow(), by }]
    const places = [{ from: 0n, parent }]
    const own = { deletions: 0, restorations: 0, updates: 0, isLate: false, begun: 1, applied: 1 }
    const added = { id, type, places, size, ...own, events }
    this.nodes.push(added)
    return added
  }

  isLive(node: ModelNode): boolean {
    const parent = parentOf(node)
    return !isDeleted(node) && (!parent || this.isLive(parent))
  }

  below(node: ModelNode): ModelNode[] {
    return this.nodes.filter((one) => one !== node && isAtOrBelow(one, node))
  }

  sizeOf(node: ModelNode): bigint {
    const live = [node, ...this.below(node)].filter((one) => this.isLive(one))
    return live.reduce((sum, one) => sum + one.size, 0n)
  }

  /** Moves come in the order of their times, whatever the order of the answers. */
  move(node: ModelNode, parent: ModelNode, { updatedOn, updatedBy }: Node) {
    const at = microsOf(updatedOn)
    node.places.push({ from: at, parent })
    node.places.sort((one, other) => Number(one.from - other.from))
    node.events.push({ at, by: updatedBy ?? '' })
    node.updates++
  }

  /** A change of content that began at that time: the size is that of the newest version. */
  change(node: ModelNode, at: bigint, by: string, version: number, size: bigint | undefined) {
    node.events.push({ at, until: microsNow(), by })
    node.updates++
    if (size === undefined || version < node.applied) return
    node.applied = version
    node.size = size
  }

  /**
   * How often something happened at a node, or to what was below it at the time: at least and at
   * most, since what happened at the very time of another's move may have been before or after it.
   */
  eventsAtOrBelow(node: ModelNode): [number, number] {
    const there = this.nodes.flatMap((one) =>
      one.events
        .filter((event) => one === node || wasBelow(one, node, event))
        .map((event) => ({ one, event })),
    )
    const unsure = there.filter(({ one, event }) => one !== node && this.movedDuring(event, one))
    return [there.length - unsure.length, there.length]
  }

  private movedDuring({ at, until = at }: Event, besides: ModelNode): boolean {
    const others = this.nodes.filter((one) => one !== besides)
    return others.some(({ places }) => places.some(({ from }) => at <= from && from <= until))
  }

  /**
   * The newest of what happened below a node while it was below it; several at the same time. A move
   * happened in both places, and hides from both what was activated after it and is older.
   */
  newestBelow(node: ModelNode) {
    const events = this.nodes.flatMap((one) =>
      one === node ? [] : one.events.filter((event) => wasBelow(one, node, event)),
    )
    const [newest] = events.sort((a, b) => Number(b.at - a.at))
    return events.filter((event) => event.at === newest?.at)
  }
}

export const isDeleted = ({ deletions, restorations }: ModelNode): boolean =>
  deletions > restorations

export const parentOf = ({ places }: ModelNode): ModelNode | undefined => places.at(-1)?.parent

/** At the moment of a move in the old place and in the new one. */
function wasBelow({ places }: ModelNode, ancestor: ModelNode, event: Event): boolean {
  const { at, until = at } = event
  return places.some(({ from, parent }, index) => {
    const left = places[index + 1]?.from
    if (!parent || from > until || (left !== undefined && left < at)) return false
    return parent === ancestor || wasBelow(parent, ancestor, event)
  })
}

export const microsOf = (time: Timestamp | undefined): bigint =>
  time ? time.seconds * 1_000_000n + BigInt(time.nanos / 1000) : 0n

/** The database is on this machine: no later than what it calls now. */
const microsNow = () => BigInt(Date.now() + 1) * 1000n

function isAtOrBelow(node: ModelNode, ancestor: ModelNode): boolean {
  const parent = parentOf(node)
  return node === ancestor || (parent !== undefined && isAtOrBelow(parent, ancestor))
}

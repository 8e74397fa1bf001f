import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Node, NodeType } from '@figbase/proto/catalog'

export type ModelNode = {
  id: string
  type: NodeType
  /** The parents over time, newest last. */
  places: { from: bigint; parent: ModelNode | undefined }[]
  size: bigint
  /** Counts of successful responses, in any order. */
  deletions: number
  restorations: number
  updates: number
  /** Whether an update was applied after the node or an ancestor was deleted. */
  isLate: boolean
  /** The newest reserved version of its content, and the applied version that determines its size. */
  begun: number
  applied: number
  /** The actions on the node itself. */
  events: Event[]
}

/** A reserved action counts at the place of the node when it is activated, between `at` and `until`. */
type Event = { at: bigint; until?: bigint; by: string }

/** A model of the tree, built from the responses, with sums computed from scratch. */
export class ModelTree {
  readonly nodes: ModelNode[] = []

  add(node: Node, parent: ModelNode | undefined, size = 0n): ModelNode {
    const { id, type, createdBy: by, createdOn } = node
    const events = [{ at: microsOf(createdOn), until: microsNow(), by }]
    const places = [{ from: 0n, parent }]
    const counts = {
      deletions: 0,
      restorations: 0,
      updates: 0,
      isLate: false,
      begun: 1,
      applied: 1,
    }
    const added = { id, type, places, size, ...counts, events }
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

  /** Sorts moves by time, whatever the order of the responses. */
  move(node: ModelNode, parent: ModelNode, { updatedOn, updatedBy }: Node) {
    const at = microsOf(updatedOn)
    node.places.push({ from: at, parent })
    node.places.sort((one, other) => Number(one.from - other.from))
    node.events.push({ at, by: updatedBy ?? '' })
    node.updates++
  }

  /** A content update reserved at `at`. The newest version determines the size. */
  change(node: ModelNode, at: bigint, by: string, version: number, size: bigint | undefined) {
    node.events.push({ at, until: microsNow(), by })
    node.updates++
    if (size === undefined || version < node.applied) return
    node.applied = version
    node.size = size
  }

  /**
   * The minimum and maximum number of actions on a node and its descendants at the time. An action at the same time as
   * a move may count before or after it.
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
   * The newest actions below a node while they were below it; several may have the same time. A move counts in both
   * places, and hides older reservations that were activated after it.
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

/** At the time of a move, a node is below both its old and its new parent. */
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

/** Not before the time of the database, which runs on this machine. */
const microsNow = () => BigInt(Date.now() + 1) * 1000n

function isAtOrBelow(node: ModelNode, ancestor: ModelNode): boolean {
  const parent = parentOf(node)
  return node === ancestor || (parent !== undefined && isAtOrBelow(parent, ancestor))
}

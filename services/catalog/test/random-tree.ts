import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Node, NodeType } from '@figbase/proto/catalog'

/** The same numbers from 0 to 1 for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type ModelNode = {
  id: string
  type: NodeType
  parent: ModelNode | undefined
  size: bigint
  isDeleted: boolean
  updates: number
  /** When something happened at the node itself, and by whom. */
  events: { at: bigint; by: string }[]
}

/** What a tree must come to, recorded from the answers to its callers: sums by adding up. */
export class ModelTree {
  readonly nodes: ModelNode[] = []

  add(node: Node, parent: ModelNode | undefined, size = 0n): ModelNode {
    const { id, type, createdBy: by, createdOn } = node
    const events = [{ at: microsOf(createdOn), by }]
    const added = { id, type, parent, size, isDeleted: false, updates: 0, events }
    this.nodes.push(added)
    return added
  }

  isLive(node: ModelNode): boolean {
    return !node.isDeleted && (!node.parent || this.isLive(node.parent))
  }

  below(node: ModelNode): ModelNode[] {
    return this.nodes.filter((one) => one !== node && isAtOrBelow(one, node))
  }

  sizeOf(node: ModelNode): bigint {
    const live = [node, ...this.below(node)].filter((one) => this.isLive(one))
    return live.reduce((sum, one) => sum + one.size, 0n)
  }

  /** The newest events below a node; several when they have the same time. */
  newestBelow(node: ModelNode) {
    const events = this.below(node).flatMap((one) => one.events)
    const [newest] = events.sort((a, b) => Number(b.at - a.at))
    return events.filter((event) => event.at === newest?.at)
  }
}

export const microsOf = (time: Timestamp | undefined): bigint =>
  time ? time.seconds * 1_000_000n + BigInt(time.nanos / 1000) : 0n

function isAtOrBelow(node: ModelNode, ancestor: ModelNode): boolean {
  return node === ancestor || (node.parent !== undefined && isAtOrBelow(node.parent, ancestor))
}

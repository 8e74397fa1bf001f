import { createHash } from 'node:crypto'

/**
 * Keys are spread over this many shards; each is handled by one process at a time, in order. The
 * number is part of what is stored: it cannot change while events are on their way.
 */
export const shardCount = 8

export function shardOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE() % shardCount
}

import { createHash } from 'node:crypto'

/**
 * Number of shards over which keys are spread; each shard is handled by one process at a time, in order. It is part of
 * stored data, so it must not change while events are undelivered.
 */
export const shardCount = 8

export function shardOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE() % shardCount
}

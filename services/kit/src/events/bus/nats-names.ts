import { JetStreamApiError } from '@nats-io/jetstream'
import type { EventRecord } from '../event.js'
import { shardOf } from '../shard.js'
import type { Group } from './port.js'

export const streamOf = (service: string): string => `figbase_${service}`

/** `figbase.<service>.<shard>.<event>`, or the common prefix of all events of the service. */
export function subjectOf(service: string, event?: Pick<EventRecord, 'name' | 'key'>): string {
  const all = `figbase.${service}`
  return event ? `${all}.${shardOf(event.key)}.${event.name}` : all
}

/** Server 2.9 allows one filter per consumer: its only event of the service, or all events of the shard. */
export function filterOf(group: Group, service: string, shard: number): string {
  const events = group.events.filter((name) => name.startsWith(`${service}.`))
  return `figbase.${service}.${shard}.${events.length === 1 ? events[0] : '>'}`
}

export const durableOf = (group: Group, shard: number): string =>
  `${group.name.replaceAll('.', '_')}_${shard}`

export function apiCodeOf(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined
}

import type { Filter, Neighbor, Place } from '../engine/port.js'
import type { TableRow } from './vector-table.js'

export type VectorRequest =
  | { kind: 'upsert'; rows: TableRow[] /** One after the other. */; vectors: Float32Array }
  | { kind: 'remove'; ids: string[] }
  | { kind: 'place'; rows: { id: string; place: Place }[] }
  | { kind: 'nearest'; vector: Float32Array; filter: Pick<Filter, 'roots' | 'recent'>; k: number }

/** `neighbors` is empty unless they were asked for. */
export type VectorReply = { neighbors: Neighbor[]; size: number }

import type { Filter, Place } from '../engine/port.js'
import type { LocalDescriptor } from '../pictures/describe.js'

export type PlacedPicture = { id: string; place: Place; global: Buffer }

export type PictureRequest =
  | { kind: 'set'; rows: PlacedPicture[] }
  | { kind: 'place'; rows: { id: string; place: Place }[] }
  | { kind: 'remove'; ids: string[] }
  | { kind: 'candidates'; global: Buffer; filter: Filter; count: number }
  | { kind: 'compare'; picture: LocalDescriptor; others: ({ id: string } & LocalDescriptor)[] }

/** `found` is empty unless pictures were asked for. `size`: how many are held. */
export type PictureReply = { found: { id: string; score: number }[]; size: number }

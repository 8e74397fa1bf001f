import type { Filter, Place } from '../engine/port.js'
import type { PictureDescriptor } from '../pictures/describe.js'

export type PlacedPicture = { id: string; place: Place; global: Buffer }

export type PictureRequest =
  | { kind: 'set'; rows: PlacedPicture[] }
  | { kind: 'place'; rows: { id: string; place: Place }[] }
  | { kind: 'remove'; ids: string[] }
  | { kind: 'candidates'; global: Buffer; filter: Filter; count: number }
  | { kind: 'compare'; picture: PictureDescriptor; others: ({ id: string } & PictureDescriptor)[] }

import { type SealedColumn, sealedColumn } from '@figbase/kit'

/** For `keys.derive`. */
export const storageKeyPurpose = 'keys of storage'

const placeColumns = ['holder_id', 'vendor', 'endpoint', 'bucket', 'prefix'] as const

/** A secret is good for the place that it was given for, and no other. */
export const contextOf = (place: Record<(typeof placeColumns)[number], string>): string =>
  JSON.stringify(placeColumns.map((column) => place[column]))

export const sealedSecrets: SealedColumn = sealedColumn({
  purpose: storageKeyPurpose,
  table: 'storage',
  column: 'secret_sealed',
  contextColumns: placeColumns,
  contextOf,
})

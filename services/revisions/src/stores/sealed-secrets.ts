import { type SealedColumn, sealedColumn } from '@figbase/kit/db'

/** The purpose for `keys.derive`. */
export const storageKeyPurpose = 'keys of storage'

const placeColumns = ['holder_id', 'vendor', 'endpoint', 'bucket', 'prefix'] as const

/** Binds a secret to its location. */
export const contextOf = (place: Record<(typeof placeColumns)[number], string>): string =>
  JSON.stringify(placeColumns.map((column) => place[column]))

export const sealedSecrets: SealedColumn = sealedColumn({
  purpose: storageKeyPurpose,
  table: 'storage',
  column: 'secret_sealed',
  contextColumns: placeColumns,
  contextOf,
})

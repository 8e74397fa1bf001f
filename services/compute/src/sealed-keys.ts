import { type SealedColumn, sealedColumn } from '@figbase/kit/db'

/** For `keys.derive`; the context is the id of the instance. */
export const notebookKeysPurpose = 'keys of notebooks'

export const sealedKeys: SealedColumn = sealedColumn({
  purpose: notebookKeysPurpose,
  table: 'instance',
  column: 'secrets_sealed',
  contextColumns: ['id'],
  contextOf: ({ id }) => id,
})

import { type SealedColumn, sealedColumn } from '@figbase/kit/db'

/** For `keys.derive`; the context of a key is its id. */
export const sshKeyPurpose = 'SSH keys'

export const sealedKeys: SealedColumn = sealedColumn({
  purpose: sshKeyPurpose,
  table: 'ssh_key',
  column: 'private_key_sealed',
  contextColumns: ['id'],
  contextOf: ({ id }) => id,
})

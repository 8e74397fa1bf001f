import { type SealedColumn, sealedColumn } from '@figbase/kit/db'

/** For `keys.derive`; the context of a secret is the id of its webhook. */
export const webhookSecretPurpose = 'secrets of webhooks'

const sealedIn = (column: string): SealedColumn =>
  sealedColumn({
    purpose: webhookSecretPurpose,
    table: 'webhook',
    column,
    contextColumns: ['id'],
    contextOf: ({ id }) => id,
  })

export const sealedSecrets: SealedColumn[] = [
  sealedIn('secret_sealed'),
  sealedIn('previous_secret_sealed'),
]

import { randomBytes } from 'node:crypto'
import { type SealedColumn, sealedColumn } from '@figbase/kit/db'

/** For `keys.derive`; the context of a secret is its column and the id of its repository. */
export const gitSecretPurpose = 'secrets of repositories'

export type SecretColumn = 'token_sealed' | 'push_secret_sealed'

export const contextOf = (column: SecretColumn, id: string): string => `${column} ${id}`

const sealedIn = (column: SecretColumn): SealedColumn =>
  sealedColumn({
    purpose: gitSecretPurpose,
    table: 'git_repository',
    column,
    contextColumns: ['id'],
    contextOf: ({ id }) => contextOf(column, id),
  })

export const gitSecrets: SealedColumn[] = [sealedIn('token_sealed'), sealedIn('push_secret_sealed')]

const pushSecretBytes = 32

/** For the webhook of a repository. GitLab takes it as a signing token in this form, the others in any form. */
export const newPushSecret = (): string =>
  `whsec_${randomBytes(pushSecretBytes).toString('base64')}`

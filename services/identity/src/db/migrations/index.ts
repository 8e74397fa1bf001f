import type { Migration } from '@figbase/kit'
import { account } from './0001-account.js'
import { apiKey } from './0002-api-key.js'
import { revokedToken } from './0007-revoked-token.js'

export const migrations: Migration[] = [account, apiKey, revokedToken]

import type { Migration } from '@figbase/kit'
import { account } from './0001-account.js'
import { apiKey } from './0002-api-key.js'
import { site } from './0006-site.js'

export const migrations: Migration[] = [account, apiKey, site]

import type { Migration } from '@figbase/kit'
import { account } from './0001-account.js'
import { apiKey } from './0002-api-key.js'
import { sshKey } from './0005-ssh-key.js'

export const migrations: Migration[] = [account, apiKey, sshKey]

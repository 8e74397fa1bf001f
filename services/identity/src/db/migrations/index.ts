import type { Migration } from '@figbase/kit'
import { account } from './0001-account.js'
import { apiKey } from './0002-api-key.js'
import { accounts } from './0003-accounts.js'
import { externalIdentity } from './0004-external-identity.js'
import { sshKey } from './0005-ssh-key.js'
import { site } from './0006-site.js'
import { apiKeyAccess } from './0007-api-key-access.js'

export const migrations: Migration[] = [
  account,
  apiKey,
  accounts,
  externalIdentity,
  sshKey,
  site,
  apiKeyAccess,
]

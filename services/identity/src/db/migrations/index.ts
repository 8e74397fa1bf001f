import type { Migration } from '@figbase/kit/db'
import { account } from './0001-account.js'
import { apiKey } from './0002-api-key.js'
import { accounts } from './0003-accounts.js'
import { externalIdentity } from './0004-external-identity.js'
import { sshKey } from './0005-ssh-key.js'
import { site } from './0006-site.js'
import { apiKeyAccess } from './0007-api-key-access.js'
import { signIn } from './0008-sign-in.js'
import { accountEmailPrefix } from './0009-account-email-prefix.js'
import { accountInactive } from './0010-account-inactive.js'
import { keyedRequest } from './0011-keyed-request.js'
import { deviceLogin } from './0012-device-login.js'
import { staffAction } from './0013-staff-action.js'

export const migrations: Migration[] = [
  account,
  apiKey,
  accounts,
  externalIdentity,
  sshKey,
  site,
  apiKeyAccess,
  signIn,
  accountEmailPrefix,
  accountInactive,
  keyedRequest,
  deviceLogin,
  staffAction,
]

import type { Route } from '../../endpoint.js'
import { apiKeyPages } from './api-keys.js'
import { dataPages } from './data.js'
import { deletePages } from './delete.js'
import { notificationPages } from './notifications.js'
import { passwordPages } from './password.js'
import { profilePages } from './profile.js'
import { sessionPages } from './sessions.js'
import { sshKeyPages } from './ssh-keys.js'

/** The pages on which users manage their accounts. */
export const accountPages: Route[] = [
  ...profilePages,
  ...passwordPages,
  ...apiKeyPages,
  ...sshKeyPages,
  ...notificationPages,
  ...sessionPages,
  ...dataPages,
  ...deletePages,
]

import type { Migration } from '@figbase/kit/db'
import { tasks } from './0001-tasks.js'
import { liveEvents } from './0002-live-events.js'
import { webhooks } from './0003-webhooks.js'
import { notifications } from './0004-notifications.js'
import { digestOrganizations } from './0005-digest-organizations.js'

export const migrations: Migration[] = [
  tasks,
  liveEvents,
  webhooks,
  notifications,
  digestOrganizations,
]

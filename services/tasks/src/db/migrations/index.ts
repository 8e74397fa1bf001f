import type { Migration } from '@figbase/kit/db'
import { tasks } from './0001-tasks.js'
import { liveEvents } from './0002-live-events.js'

export const migrations: Migration[] = [tasks, liveEvents]

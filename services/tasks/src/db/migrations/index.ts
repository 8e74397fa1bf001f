import type { Migration } from '@figbase/kit'
import { tasks } from './0001-tasks.js'

export const migrations: Migration[] = [tasks]

import type { Migration } from '@figbase/kit/db'
import { instances } from './0001-instances.js'

export const migrations: Migration[] = [instances]

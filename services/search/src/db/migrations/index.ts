import type { Migration } from '@figbase/kit/db'
import { places } from './0001-places.js'
import { entries } from './0002-entries.js'

export const migrations: Migration[] = [places, entries]

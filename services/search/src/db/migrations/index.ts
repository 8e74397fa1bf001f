import type { Migration } from '@figbase/kit/db'
import { places } from './0001-places.js'
import { entries } from './0002-entries.js'
import { changes } from './0003-changes.js'
import { likenesses } from './0004-likenesses.js'
import { ranking } from './0005-ranking.js'

export const migrations: Migration[] = [places, entries, changes, likenesses, ranking]

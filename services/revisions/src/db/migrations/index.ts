import type { Migration } from '@figbase/kit'
import { revisions } from './0001-revisions.js'

export const migrations: Migration[] = [revisions]

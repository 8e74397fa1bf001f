import type { Migration } from '@figbase/kit'
import { tree } from './0001-tree.js'
import { organizations } from './0002-organizations.js'
import { plans } from './0005-plans.js'

export const migrations: Migration[] = [tree, organizations, plans]

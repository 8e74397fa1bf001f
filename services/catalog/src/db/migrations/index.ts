import type { Migration } from '@figbase/kit'
import { tree } from './0001-tree.js'
import { assets } from './0003-assets.js'
import { newestRevisions } from './0004-newest-revisions.js'

export const migrations: Migration[] = [tree, assets, newestRevisions]

import type { Migration } from '@figbase/kit'
import { tree } from './0001-tree.js'

export const migrations: Migration[] = [tree]

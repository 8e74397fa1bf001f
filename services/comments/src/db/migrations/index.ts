import type { Migration } from '@figbase/kit'
import { comments } from './0001-comments.js'

export const migrations: Migration[] = [comments]

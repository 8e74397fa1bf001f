import type { Migration } from '@figbase/kit/db'
import { comments } from './0001-comments.js'

export const migrations: Migration[] = [comments]

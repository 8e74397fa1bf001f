import type { Migration } from '@figbase/kit/db'
import { comments } from './0001-comments.js'
import { aiReplies } from './0002-ai-replies.js'

export const migrations: Migration[] = [comments, aiReplies]

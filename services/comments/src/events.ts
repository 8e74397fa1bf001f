import { eventOf } from '@figbase/kit'
import { CommentChangedSchema } from '@figbase/proto/comments/events'

/** Published with each change of a comment, whose target is locked: they come in the order in which they were made. */
export const commentChanged = eventOf(CommentChangedSchema)

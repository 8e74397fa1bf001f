import { eventOf } from '@figbase/kit/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'

/** Published with each change of a comment, while its target is locked, so events are in the order of the changes. */
export const commentChanged = eventOf(CommentChangedSchema)

import { eventOf } from '@figbase/kit/events'
import { StoryChangedSchema } from '@figbase/proto/stories/events'

/** Published with each saved version, while the story is locked, so events are in the order of the versions. */
export const storyChanged = eventOf(StoryChangedSchema)

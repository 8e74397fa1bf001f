import { eventOf } from '@figbase/kit/events'
import { NodeChangedSchema } from '@figbase/proto/catalog/events'

/** Published with each entry of the activity log that is about the node itself. */
export const nodeChanged = eventOf(NodeChangedSchema)

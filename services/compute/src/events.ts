import { eventOf } from '@figbase/kit/events'
import { InstanceChangedSchema } from '@figbase/proto/compute/events'

/** Published with each event of an instance, while it is locked, so in their order. */
export const instanceChanged = eventOf(InstanceChangedSchema)

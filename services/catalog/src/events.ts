import { eventOf } from '@figbase/kit/events'
import {
  AccessGrantedSchema,
  FigureStaleSchema,
  NodeChangedSchema,
} from '@figbase/proto/catalog/events'

/** Published with each entry of the activity log that is about the node itself. */
export const nodeChanged = eventOf(NodeChangedSchema)

/** Published for each figure that a new revision of an asset makes stale. */
export const figureStale = eventOf(FigureStaleSchema)

/** Published when an object is newly shared with a user, or somebody makes a user a member. */
export const accessGranted = eventOf(AccessGrantedSchema)

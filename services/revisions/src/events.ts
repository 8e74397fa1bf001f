import { eventOf } from '@figbase/kit'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'

export const revisionProcessed = eventOf(RevisionProcessedSchema)

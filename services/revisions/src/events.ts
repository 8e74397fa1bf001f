import { eventOf } from '@figbase/kit/events'
import { RevisionProcessedSchema, TextExtractedSchema } from '@figbase/proto/revisions/events'

export const revisionProcessed = eventOf(RevisionProcessedSchema)
export const textExtracted = eventOf(TextExtractedSchema)

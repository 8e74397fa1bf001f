import { eventOf } from '@figbase/kit'
import { RevisionProcessedSchema, TextExtractedSchema } from '@figbase/proto/revisions/events'

export const revisionProcessed = eventOf(RevisionProcessedSchema)
export const textExtracted = eventOf(TextExtractedSchema)

import { checkedText, invalid, isUuid } from '@figbase/kit'
import type { CreateRevisionRequest_Finish as Finish } from '@figbase/proto/revisions'
import { problemOfJson } from './json-text.js'

type Said = Pick<Finish, 'metadataJson' | 'isCleanRoom' | 'silent' | 'description'> & {
  clientId?: string | undefined
  shortId?: string | undefined
}
type Limits = { metadataDepthMax: number; descriptionCharsMax: number }

/** What the caller said of the revision itself. */
export function parseFinish(
  { clientId, shortId, metadataJson, isCleanRoom, silent, description }: Said,
  { metadataDepthMax, descriptionCharsMax }: Limits,
) {
  if (clientId !== undefined && !isUuid(clientId)) throw invalid('client_id', 'must be a UUID')
  const metadata = metadataJson === '' ? '{}' : metadataJson
  const problem = problemOfJson(metadata, metadataDepthMax)
  if (problem) throw invalid('metadata', problem)
  return {
    clientId: clientId?.toLowerCase(),
    shortId: shortId ?? null,
    metadata,
    isCleanRoom,
    silent,
    description: checkedDescription(description, descriptionCharsMax),
  }
}

/** Null for an empty one. */
function checkedDescription(text: string, charsMax: number): string | null {
  if (text === '') return null
  return checkedText('description', text, { charsMax })
}

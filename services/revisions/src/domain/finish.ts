import { checkedText, invalid, isUuid, problemOfJson } from '@figbase/kit'
import type {
  CreateRevisionRequest_Finish as Finish,
  UpdateRevisionRequest_Finish as UpdateFinish,
} from '@figbase/proto/revisions'

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
  return {
    clientId: clientId?.toLowerCase(),
    metadata: checkedMetadata(metadataJson === '' ? '{}' : metadataJson, metadataDepthMax),
    shortId: shortId ?? null,
    isCleanRoom,
    silent,
    description: checkedDescription(description, descriptionCharsMax),
  }
}

/** What changes of the revision itself; undefined stays as it is, null is taken away. */
export type Changes = {
  metadata: string | undefined
  isCleanRoom: boolean | undefined
  description: string | null | undefined
}

export function parseChanges(
  { metadataJson, isCleanRoom, description }: UpdateFinish,
  { metadataDepthMax, descriptionCharsMax }: Limits,
): Changes {
  return {
    metadata:
      metadataJson === undefined ? undefined : checkedMetadata(metadataJson, metadataDepthMax),
    isCleanRoom,
    description:
      description === undefined ? undefined : checkedDescription(description, descriptionCharsMax),
  }
}

function checkedMetadata(json: string, depthMax: number): string {
  const problem = problemOfJson(json, depthMax)
  if (problem) throw invalid('metadata', problem)
  return json
}

/** Null for an empty one. */
function checkedDescription(text: string, charsMax: number): string | null {
  if (text === '') return null
  return checkedText('description', text, { charsMax })
}

import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { checkedText, problemOfJson } from '@figbase/kit/text'
import type {
  CreateRevisionRequest_Finish as Finish,
  UpdateRevisionRequest_Finish as UpdateFinish,
} from '@figbase/proto/revisions'

type FinishInput = Pick<Finish, 'metadataJson' | 'isCleanRoom' | 'silent' | 'description'> & {
  clientId?: string | undefined
  shortId?: string | undefined
}
type Limits = { metadataDepthMax: number; descriptionCharsMax: number }

/** What the request says about the revision itself. */
export function parseFinish(
  { clientId, shortId, metadataJson, isCleanRoom, silent, description }: FinishInput,
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

/** Changes of the revision itself. Undefined keeps a value, null removes it. */
export type Changes = {
  metadata: string | undefined
  isCleanRoom: boolean | undefined
  description: string | null | undefined
  /** Undefined: the author of the update. */
  descriptionAuthor?: string
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

/** Null if the text is empty. */
function checkedDescription(text: string, charsMax: number): string | null {
  if (text === '') return null
  return checkedText('description', text, { charsMax })
}

import { invalid, isUuid } from '@figbase/kit'
import type { CreateFigureRevisionRequest_Finish as Finish } from '@figbase/proto/revisions'
import { problemOfJson } from './json-text.js'

/** What the caller said of the revision itself. */
export function parseFinish(
  { clientId, shortId, metadataJson, isCleanRoom, silent }: Finish,
  metadataDepthMax: number,
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
  }
}

import { ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { checkedText, isContainer, problemOfJson } from '@figbase/kit/text'
import { type CreateRevisionRequest_DataObjectEnd, DataType } from '@figbase/proto/revisions'

const nameCharsMax = 1000

/** What the request says about a data object, besides its bytes. */
export type ObjectAttributes = {
  name: string | null
  type: DataType
  metadata: string
  isCleanRoom: boolean
}

/**
 * `index` is the position in the caller's list, for the field that an error names. A problem is returned,
 * not thrown, because the caller's permission is checked first.
 */
export function parseObjectEnd(
  end: CreateRevisionRequest_DataObjectEnd,
  index: number,
  metadataDepthMax: number,
): { facts: ObjectAttributes; problem?: ConnectError } {
  const facts = {
    name: end.name ?? null,
    type: end.type,
    metadata: isEmptyJson(end.metadataJson) ? '{}' : end.metadataJson,
    isCleanRoom: end.isCleanRoom,
  }
  try {
    check(facts, `data[${index}]`, metadataDepthMax)
    return { facts }
  } catch (problem) {
    if (problem instanceof ConnectError) return { facts, problem }
    throw problem
  }
}

const isEmptyJson = (json: string) => json === '' || json.trim() === 'null'

function check(
  { name, type, metadata }: ObjectAttributes,
  field: string,
  metadataDepthMax: number,
) {
  if (!(type in DataType) || type === DataType.UNSPECIFIED) {
    throw invalid(`${field}.type`, 'is required')
  }
  if (name !== null) checkedText(`${field}.name`, name, { charsMax: nameCharsMax })
  const problem = problemOfJson(metadata, metadataDepthMax)
  if (problem) throw invalid(`${field}.metadata`, problem)
  if (!isContainer(metadata)) throw invalid(`${field}.metadata`, 'must be an object')
}

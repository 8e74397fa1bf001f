import { ConnectError } from '@connectrpc/connect'
import { checkedText, invalid, isContainer, problemOfJson } from '@figbase/kit'
import { type CreateRevisionRequest_DataObjectEnd, DataType } from '@figbase/proto/revisions'

const nameCharsMax = 1000

/** What the caller said of a data object, besides its bytes. */
export type ObjectFacts = {
  name: string | null
  type: DataType
  metadata: string
  isCleanRoom: boolean
}

/**
 * `index` is the position in the caller's list, for the field that an error names. The problem is
 * an answer, not thrown: it has to wait until the caller's permission is known.
 */
export function parseObjectEnd(
  end: CreateRevisionRequest_DataObjectEnd,
  index: number,
  metadataDepthMax: number,
): { facts: ObjectFacts; problem?: ConnectError } {
  const facts = {
    name: end.name ?? null,
    type: end.type,
    metadata: isNothing(end.metadataJson) ? '{}' : end.metadataJson,
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

const isNothing = (json: string) => json === '' || json.trim() === 'null'

function check({ name, type, metadata }: ObjectFacts, field: string, metadataDepthMax: number) {
  if (!(type in DataType) || type === DataType.UNSPECIFIED) {
    throw invalid(`${field}.type`, 'is required')
  }
  if (name !== null) checkedText(`${field}.name`, name, { charsMax: nameCharsMax })
  const problem = problemOfJson(metadata, metadataDepthMax)
  if (problem) throw invalid(`${field}.metadata`, problem)
  if (!isContainer(metadata)) throw invalid(`${field}.metadata`, 'must be an object')
}

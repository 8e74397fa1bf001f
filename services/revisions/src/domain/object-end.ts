import type { ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit'
import { type CreateFigureRevisionRequest_DataObjectEnd, DataType } from '@figbase/proto/revisions'
import { isContainer, problemOfJson } from './json-text.js'

const nameCharactersMax = 1000

/** What the caller said of a data object, besides its bytes. */
export type ObjectFacts = {
  name: string | null
  type: DataType
  metadata: string
  isCleanRoom: boolean
}

/** `index` is the position in the caller's list, for the field that an error names. */
export function parseObjectEnd(
  end: CreateFigureRevisionRequest_DataObjectEnd,
  index: number,
): { facts: ObjectFacts; problem?: ConnectError } {
  const metadata = metadataOf(end.metadataJson)
  const facts = {
    name: end.name ?? null,
    type: end.type,
    metadata,
    isCleanRoom: end.isCleanRoom,
  }
  const problem = problemOf(facts)
  return problem
    ? { facts, problem: invalid(`data[${index}].${problem[0]}`, problem[1]) }
    : { facts }
}

function metadataOf(json: string) {
  return json === '' || json.trim() === 'null' ? '{}' : json
}

function problemOf({ name, type, metadata }: ObjectFacts): [string, string] | undefined {
  if (!(type in DataType) || type === DataType.UNSPECIFIED) return ['type', 'is required']
  if (name && [...name].length > nameCharactersMax) {
    return ['name', `must have at most ${nameCharactersMax} characters`]
  }
  if (name?.includes('\0')) return ['name', 'must not contain a NUL character']
  const problem = problemOfJson(metadata)
  if (problem) return ['metadata', problem]
  if (!isContainer(metadata)) return ['metadata', 'must be an object']
  return undefined
}

import { invalid, validateAll } from '@figbase/kit/errors'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { dataTypeNames, dataTypeOf } from '../../shapes/data.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'

/** Parses the members of an element of `data`; throws a 400 with the invalid members. */
export function parseDataObject(event: UploadEvent & { kind: 'object-end' }) {
  const { members, hasData, index } = event
  const path = `data[${index}].`
  const { name, uploadId, ...rest } = validateAll({
    type: () => typeIn(members, path),
    uploadId: () => uploadFor(members, path, hasData),
    name: () => optionalText(members, 'name', path),
    metadataJson: () => metadataIn(members, path),
    isCleanRoom: () => optionalBool(members, 'is_clean_room', path) ?? false,
  })
  return {
    ...rest,
    ...(name !== undefined && { name }),
    ...(uploadId !== undefined && { uploadId }),
  }
}

function typeIn(members: Map<string, string>, path: string) {
  const word = parseMember(members.get('type') ?? 'null')
  if (word === null) throw invalid(`${path}type`, 'is required')
  const type = dataTypeOf(word)
  if (type === undefined) {
    throw invalid(`${path}type`, `must be one of ${dataTypeNames.join(', ')}`)
  }
  return type
}

/** The id of the upload with the bytes; undefined if they are in the body. */
function uploadFor(members: Map<string, string>, path: string, hasData: boolean) {
  const uploadId = uploadIn(members, path)
  if (!hasData && uploadId === undefined) throw invalid(`${path}data`, 'is required')
  if (hasData && uploadId !== undefined) {
    throw invalid(`${path}upload`, 'must not be combined with `data`')
  }
  return uploadId
}

/** Accepts the id or the URL of an upload. */
function uploadIn(members: Map<string, string>, path: string) {
  const given = optionalText(members, 'upload', path)
  return given === undefined ? undefined : (/\/upload\/([^/]*)\/?$/.exec(given)?.[1] ?? given)
}

function metadataIn(members: Map<string, string>, path: string) {
  const raw = members.get('metadata') ?? 'null'
  const value = parseMember(raw)
  if (value === null) return ''
  if (typeof value !== 'object') throw invalid(`${path}metadata`, 'must be an object')
  return raw
}

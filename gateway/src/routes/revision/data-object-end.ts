import { badRequest } from '../../http/errors.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { dataTypeOf, dataTypeWords } from '../../shapes/data.js'
import { optionalBool, optionalText, parseMember } from './raw-members.js'

/** What an element of `data` says of itself; 400 that names the member. */
export function dataObjectEnd(event: UploadEvent & { kind: 'object-end' }) {
  const { members, hasData, index } = event
  const path = `data[${index}].`
  const type = dataTypeOf(parseMember(members.get('type') ?? 'null'))
  if (type === undefined) {
    throw badRequest(`${path}type: must be one of ${dataTypeWords.join(', ')}`)
  }
  const uploadId = uploadIn(members, path)
  if (!hasData && uploadId === undefined) throw badRequest(`${path}data: is required`)
  if (hasData && uploadId !== undefined) {
    throw badRequest(`${path}upload: send either this or \`data\``)
  }
  const name = optionalText(members, 'name', path)
  return {
    ...(name !== undefined && { name }),
    ...(uploadId !== undefined && { uploadId }),
    type,
    metadataJson: metadataIn(members, path),
    isCleanRoom: optionalBool(members, 'is_clean_room', path) ?? false,
  }
}

/** The id of an upload, or the address that it has. */
function uploadIn(members: Map<string, string>, path: string) {
  const given = optionalText(members, 'upload', path)
  return given === undefined ? undefined : (/\/upload\/([^/]*)\/?$/.exec(given)?.[1] ?? given)
}

function metadataIn(members: Map<string, string>, path: string) {
  const raw = members.get('metadata') ?? 'null'
  const value = parseMember(raw)
  if (value === null) return ''
  if (typeof value !== 'object') throw badRequest(`${path}metadata: must be an object`)
  return raw
}

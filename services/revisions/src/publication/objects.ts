import type { ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import type {
  CreateRevisionRequest,
  CreateRevisionRequest_DataObjectEnd as DataObjectEnd,
} from '@figbase/proto/revisions'
import { type ObjectAttributes, parseObjectEnd } from '../domain/object-end.js'
import { tooManyObjects, tooMuchMetadata } from '../errors.js'
import type { StagedObject, Upload } from '../staging/upload.js'

export type ObjectPart = Extract<CreateRevisionRequest['part'], { case: 'chunk' | 'objectEnd' }>
type OtherPart = { case: 'place' | 'finish' | undefined }
type Parts = { next(): Promise<ObjectPart | OtherPart | undefined> }

export type ReceivedObject = ObjectAttributes & StagedObject
/** An object with the bytes of a resumable upload. */
export type NamedObject = ObjectAttributes & { uploadId: string }
/** A received object, or the id of a stored one to keep. */
export type Listed = ReceivedObject | NamedObject | string

export type ObjectLimits = {
  objectsMax: number
  /** Metadata and names of the revision and of its objects, together. */
  metadataBytesMax: number
  metadataDepthMax: number
}

/** The data objects of one request, staged as they come in. */
export type Objects = {
  /** In the caller's order. */
  list: Listed[]
  /** The first problem of the received objects. It is not thrown, because the permission is checked first. */
  problem: ConnectError | undefined
  take(part: ObjectPart): Promise<void>
  /** Counts text towards `metadataBytesMax`. */
  count(text: string | undefined): void
}

export function receiveObjects(
  parts: Parts,
  upload: Upload,
  { objectsMax, metadataBytesMax, metadataDepthMax }: ObjectLimits,
): Objects {
  let metadataBytes = 0
  const objects: Objects = {
    list: [],
    problem: undefined,
    count(text) {
      metadataBytes += Buffer.byteLength(text ?? '')
      if (metadataBytes > metadataBytesMax) throw tooMuchMetadata(metadataBytesMax)
    },
    async take(part) {
      const { list } = objects
      if (list.length === objectsMax) throw tooManyObjects(objectsMax)
      if (part.case === 'objectEnd' && part.value.keepId !== undefined) {
        const { keepId } = part.value
        if (!isUuid(keepId))
          objects.problem ??= invalid(`data[${list.length}].api_id`, 'must be a UUID')
        list.push(keepId.toLowerCase())
        return
      }
      const { staged, end } = named(part) ?? (await stageObject(part, parts, upload))
      objects.count(end.metadataJson)
      objects.count(end.name)
      const parsed = parseObjectEnd(end, list.length, metadataDepthMax)
      objects.problem ??= parsed.problem ?? problemOfUpload(end, staged, list.length)
      list.push({ ...staged, ...parsed.facts })
    },
  }
  return objects
}

/** An object that refers to an upload. Undefined: its bytes are in the request. */
function named(part: ObjectPart) {
  if (part.case !== 'objectEnd' || part.value.uploadId === undefined) return undefined
  return { staged: { uploadId: part.value.uploadId.toLowerCase() }, end: part.value }
}

function problemOfUpload(end: DataObjectEnd, staged: object, index: number) {
  if (end.uploadId === undefined) return undefined
  if (!('uploadId' in staged))
    return invalid(`data[${index}].upload`, 'must not be combined with bytes in the request')
  return isUuid(end.uploadId) ? undefined : invalid(`data[${index}].upload`, 'must be a UUID')
}

async function stageObject(first: ObjectPart, parts: Parts, upload: Upload) {
  let end: DataObjectEnd | undefined
  async function* bytes() {
    for (
      let part: Awaited<ReturnType<Parts['next']>> = first;
      part?.case === 'chunk' || part?.case === 'objectEnd';
      part = await parts.next()
    ) {
      if (part.case === 'objectEnd') {
        end = part.value
        return
      }
      yield part.value
    }
    throw invalid('data', 'is incomplete: the stream ended early')
  }
  const staged = await upload.stage(bytes())
  if (!end) throw new Error('the object store returned before the object was complete')
  return { staged, end }
}

/** The columns of `external_data`. */
export const toRow = (object: ReceivedObject & { id: string }, revisionId: string) => ({
  id: object.id,
  revision_id: revisionId,
  name: object.name ?? null,
  type: object.type,
  metadata: object.metadata,
  is_clean_room: object.isCleanRoom,
  size_bytes: object.size,
  hash: object.digest,
})

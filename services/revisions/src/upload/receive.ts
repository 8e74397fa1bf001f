import type { ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit'
import type {
  CreateRevisionRequest_DataObjectEnd as DataObjectEnd,
  CreateRevisionRequest_Finish as Finish,
} from '@figbase/proto/revisions'
import { type ObjectFacts, parseObjectEnd } from '../domain/object-end.js'
import { type RevisionKind, revisionKind } from '../domain/revision-kind.js'
import type { Part, Parts } from './parts.js'
import type { StagedObject, Upload } from './upload.js'

export type ReceivedObject = ObjectFacts & StagedObject

export type Received = {
  kind: RevisionKind
  parentId: string
  objects: ReceivedObject[]
  finish: Finish
}

export type ReceiveOptions = {
  objectsMax: number
  /** Metadata and names, those of the revision and of its objects together. */
  metadataBytesMax: number
  metadataDepthMax: number
  /** Refuses a caller who may not create below this parent, or not so much. */
  checkParent(kind: RevisionKind, parentId: string, expectedBytes: bigint): Promise<void>
}

/** Reads a whole request; every object is staged when it ends. */
export async function receive(
  parts: Parts,
  upload: Upload,
  { objectsMax, metadataBytesMax, metadataDepthMax, checkParent }: ReceiveOptions,
): Promise<Received> {
  const objects: ReceivedObject[] = []
  let parent: Pick<Received, 'kind' | 'parentId'> | undefined
  // Permission comes before shape: what is wrong in objects ahead of `parent` waits for it.
  let problem: ConnectError | undefined
  let metadataBytes = 0
  const count = (...texts: (string | undefined)[]) => {
    for (const text of texts) metadataBytes += Buffer.byteLength(text ?? '')
    if (metadataBytes <= metadataBytesMax) return
    throw invalid('metadata', `with that of the data, has at most ${metadataBytesMax} bytes`)
  }

  for (;;) {
    const part = await parts.next()
    switch (part?.case) {
      case 'parent': {
        if (parent) throw invalid(parent.kind.parentField, 'is there twice')
        const { id, type, expectedBytes } = part.value
        const kind = revisionKind(type)
        await checkParent(kind, id, expectedBytes)
        parent = { kind, parentId: id.toLowerCase() }
        break
      }
      case 'chunk':
      case 'objectEnd': {
        if (objects.length === objectsMax) {
          throw invalid('data', `must have at most ${objectsMax} elements`)
        }
        const { staged, end } = await stageObject(part, parts, upload)
        count(end.metadataJson, end.name)
        const parsed = parseObjectEnd(end, objects.length, metadataDepthMax)
        problem ??= parsed.problem
        objects.push({ ...staged, ...parsed.facts })
        break
      }
      case 'finish': {
        if (!parent) throw invalid('parent', 'is required')
        count(part.value.metadataJson)
        return { ...parent, objects, finish: part.value }
      }
      default:
        throw invalid('data', 'ended early')
    }
    if (parent && problem) throw problem
  }
}

async function stageObject(first: Part, parts: Parts, upload: Upload) {
  let end: DataObjectEnd | undefined
  async function* bytes() {
    for (let part: Part | undefined = first; ; part = await parts.next()) {
      if (part?.case === 'chunk') {
        yield part.value
      } else if (part?.case === 'objectEnd') {
        end = part.value
        return
      } else {
        throw invalid('data', 'ended early')
      }
    }
  }
  const staged = await upload.stage(bytes())
  if (!end) throw new Error('the object store took an object before its end')
  return { staged, end }
}

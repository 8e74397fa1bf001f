import { invalid } from '@figbase/kit'
import type { CreateRevisionRequest_Finish as Finish } from '@figbase/proto/revisions'
import { inAnalysis, type RevisionKind, revisionKind } from '../domain/revision-kind.js'
import type { Parts } from '../staging/parts.js'
import type { Upload } from '../staging/upload.js'
import {
  type CreatePart,
  type Listed,
  type NamedObject,
  type ObjectLimits,
  type ReceivedObject,
  receiveObjects,
} from './objects.js'

export type Received = {
  kind: RevisionKind
  parentId: string
  workspaceId: string
  objects: (ReceivedObject | NamedObject)[]
  finish: Finish
}

export type ReceiveOptions = ObjectLimits & {
  /** Refuses a caller who may not create below this parent, or not so much; answers its workspace. */
  checkParent(kind: RevisionKind, parentId: string, expectedBytes: bigint): Promise<string>
}

/** Reads a whole request; every object is staged when it ends. */
export async function receive(
  parts: Parts<CreatePart>,
  upload: Upload,
  { checkParent, ...limits }: ReceiveOptions,
): Promise<Received> {
  const objects = receiveObjects(parts, upload, limits)
  let parent: Pick<Received, 'kind' | 'parentId' | 'workspaceId'> | undefined

  for (;;) {
    const part = await parts.next()
    switch (part?.case) {
      case 'parent': {
        if (parent) throw invalid(parent.kind.parentField, 'is there twice')
        const { id, type, expectedBytes, autoAssign } = part.value
        const kind = autoAssign ? inAnalysis : revisionKind(type)
        const workspaceId = await checkParent(kind, id, expectedBytes)
        parent = { kind, parentId: id.toLowerCase(), workspaceId }
        break
      }
      case 'chunk':
      case 'objectEnd':
        await objects.take(part)
        break
      case 'finish': {
        if (!parent) throw invalid('parent', 'is required')
        objects.count(part.value.metadataJson)
        return { ...parent, objects: allNew(objects.list), finish: part.value }
      }
      default:
        throw invalid('data', 'ended early')
    }
    // Permission comes before shape: what is wrong in objects ahead of `parent` waits for it.
    if (parent && objects.problem) throw objects.problem
  }
}

/** A new revision has nothing that could stay. */
function allNew(list: Listed[]): (ReceivedObject | NamedObject)[] {
  return list.map((one, index) => {
    if (typeof one === 'string') throw invalid(`data[${index}].data`, 'is required')
    return one
  })
}

import { invalid } from '@figbase/kit'
import type {
  UpdateRevisionRequest_Finish as Finish,
  UpdateRevisionRequest_Target as Target,
} from '@figbase/proto/revisions'
import type { Parts } from '../staging/parts.js'
import type { Upload } from '../staging/upload.js'
import { type ObjectLimits, type Objects, receiveObjects, type UpdatePart } from './objects.js'

export type ReceivedUpdate<Opened> = {
  target: Opened
  list: Objects['list']
  finish: Finish
}

/** Reads a whole request; every object is staged when it ends. `open` refuses who may not update. */
export async function receiveUpdate<Opened>(
  parts: Parts<UpdatePart>,
  upload: Upload,
  limits: ObjectLimits,
  open: (target: Target) => Promise<Opened>,
): Promise<ReceivedUpdate<Opened>> {
  const first = await parts.next()
  if (first?.case !== 'target') throw invalid('target', 'is required, and comes first')
  const target = await open(first.value)
  const objects = receiveObjects(parts, upload, limits)
  for (;;) {
    const part = await parts.next()
    if (part?.case === 'finish') {
      objects.count(part.value.metadataJson)
      return { target, list: objects.list, finish: part.value }
    }
    if (part?.case !== 'chunk' && part?.case !== 'objectEnd') throw invalid('data', 'ended early')
    await objects.take(part)
    if (objects.problem) throw objects.problem
  }
}

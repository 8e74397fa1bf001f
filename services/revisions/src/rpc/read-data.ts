import { invalid } from '@figbase/kit/errors'
import type { ObjectRange } from '@figbase/kit/objects'
import { Permission } from '@figbase/proto/catalog'
import type { ReadDataRequest } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { nodeTypeOf } from '../domain/revision-kind.js'
import type { Impl } from '../routes.js'
import { toDataObject } from '../wire.js'
import { openData } from './open-data.js'

const chunkBytesMax = 256 * 1024

export function readData(ctx: Ctx): Impl['readData'] {
  return async function* (req, call) {
    const data = await openData(ctx, req.id, Permission.VIEW, call)
    const range = rangeOf(req, data.size_bytes)
    const object = { ...toDataObject(data), revisionType: nodeTypeOf(data.revision_type) }
    yield { part: { case: 'object', value: object } }
    if (range.length === 0) return
    for await (const bytes of ctx.stores.of(data.storage).get(data.key, range)) {
      for (let at = 0; at < bytes.length; at += chunkBytesMax) {
        call.signal.throwIfAborted()
        yield { part: { case: 'chunk', value: bytes.subarray(at, at + chunkBytesMax) } }
      }
    }
  }
}

function rangeOf({ offset, length }: ReadDataRequest, sizeBytes: bigint): ObjectRange {
  if (offset < 0n || offset > sizeBytes)
    throw invalid('offset', `must be an integer between 0 and ${sizeBytes}`)
  const left = sizeBytes - offset
  if (length !== undefined && length < 0n) throw invalid('length', 'must not be negative')
  const wanted = length === undefined || length > left ? left : length
  return { offset: Number(offset), length: Number(wanted) }
}

import type { ConnectError, HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import { segmentKey } from '../domain/object-keys.js'
import {
  offsetConflict,
  storageExceeded,
  tooLarge,
  tooManySegments,
  uploadLocked,
  uploadTakenOver,
  uploadTooLong,
} from '../errors.js'
import {
  addSegment,
  beginAppend,
  declaredBytes,
  endAppend,
  listResumable,
  type ResumableUpload,
} from '../queries/resumable-uploads.js'
import { hashPieces } from '../staging/hash-pieces.js'
import { checkLength, uploadNotFound } from './begin.js'
import { createPieceReader } from './piece-reader.js'
import { settleQuietly } from './settle.js'
import { checkTarget } from './target.js'

export type Append = {
  offset: bigint
  length: bigint | undefined
  /** The id of the request that took over the upload, if it did. */
  askId: string | undefined
}

/**
 * Stores the chunks segment by segment. An added segment is durable. If the chunks end with an error, the
 * received bytes are kept before the error is thrown.
 */
export async function appendTo(
  ctx: Ctx,
  upload: ResumableUpload,
  { offset, length, askId }: Append,
  next: () => Promise<Uint8Array | undefined>,
  call: HandlerContext,
): Promise<ResumableUpload> {
  const bound = await checkAppend(ctx, upload, { offset, length }, call)
  const append = { id: ctx.newOrderedId(), offset, length, askId }
  const watched = ctx.appends.watch(append.id, next)
  try {
    const appender = ctx.appends.appender()
    let current = await ctx.write((db) => beginAppend(db, upload.id, append, appender))
    if (!current) throw await refusalReason(ctx, upload, append)
    const reader = createPieceReader(bounded(watched.next, offset, bound))
    while (await reader.hasMore()) {
      if (current.segments >= ctx.cfg.segmentsMax) throw tooManySegments(ctx.cfg.segmentsMax)
      const segment = await storeSegment(ctx, upload.id, reader.take(ctx.cfg.segmentBytesMax))
      const grown: ResumableUpload | undefined = await ctx.write((db) =>
        addSegment(db, upload.id, append.id, segment, ctx.cfg.uploadExpiryMs),
      )
      if (!grown) {
        await ctx.objects.delete([segment.key])
        throw await lostReason(ctx, upload)
      }
      current = grown
    }
    if (reader.failure) throw reader.failure.error
    return current
  } finally {
    await release(ctx, upload.id, append.id)
    watched[Symbol.dispose]()
  }
}

/** If this fails, the call still does not count as running, because it is not watched any more. */
async function release(ctx: Ctx, id: string, appendId: string) {
  try {
    if (await endAppend(ctx.db, id, appendId)) await settleQuietly(ctx, [id])
  } catch (err) {
    ctx.log.warn({ err, upload: id }, 'recording the end of an append failed')
  }
}

/** The maximum length of the upload, and the error beyond it. */
type Bound = { bytesMax: bigint; exceeded(): ConnectError }

/** Throws if the caller may not store anything there any more. */
async function checkAppend(
  ctx: Ctx,
  upload: ResumableUpload,
  { offset, length: declared }: Omit<Append, 'askId'>,
  call: HandlerContext,
): Promise<Bound> {
  const target = { id: upload.target_id, type: upload.target_type }
  const { bytesLeft } = await checkTarget(ctx, target, call)
  if (upload.offset_bytes !== offset) throw offsetConflict(upload.offset_bytes)
  const known = upload.length_bytes
  if (known !== null) return { bytesMax: known, exceeded: () => uploadTooLong(known) }
  checkLength(ctx, declared)
  if (declared !== undefined && declared < offset)
    throw invalid('length', 'must not be less than the offset')
  const room = await remainingBytes(ctx, upload, bytesLeft)
  if (room !== undefined && (declared ?? offset) > room) throw storageExceeded(room)
  if (declared !== undefined) return { bytesMax: declared, exceeded: () => uploadTooLong(declared) }
  const { uploadBytesMax } = ctx.cfg
  return room !== undefined && room < uploadBytesMax
    ? { bytesMax: room, exceeded: () => storageExceeded(room) }
    : { bytesMax: BigInt(uploadBytesMax), exceeded: () => tooLarge(uploadBytesMax) }
}

/** The bytes left in the plan beside the other uploads. Undefined if there is no limit. */
async function remainingBytes(ctx: Ctx, upload: ResumableUpload, bytesLeft: bigint | undefined) {
  if (bytesLeft === undefined) return undefined
  const room = bytesLeft - (await declaredBytes(ctx.db, upload.workspace_id, upload.id))
  return room > 0n ? room : 0n
}

/** Throws instead of returning the chunk that exceeds the limit. */
function bounded(
  next: () => Promise<Uint8Array | undefined>,
  offset: bigint,
  { bytesMax, exceeded }: Bound,
) {
  let left = bytesMax - offset
  return async () => {
    const chunk = await next()
    left -= BigInt(chunk?.length ?? 0)
    if (left < 0n) throw exceeded()
    return chunk
  }
}

async function storeSegment(ctx: Ctx, id: string, bytes: AsyncIterable<Uint8Array>) {
  const key = segmentKey(id, ctx.newId())
  const buffer = await ctx.hashBuffers.acquire()
  try {
    const { pieces, size } = hashPieces(bytes, buffer)
    await ctx.objects.put(key, pieces)
    return { key, size_bytes: size(), digest: await buffer.hash.digest() }
  } finally {
    ctx.hashBuffers.release(buffer)
  }
}

async function lostReason(ctx: Ctx, { id, owner }: ResumableUpload) {
  const [now] = await listResumable(ctx.db, [id], owner, null)
  return now ? uploadTakenOver() : uploadNotFound()
}

async function refusalReason(ctx: Ctx, { id, owner }: ResumableUpload, { offset, askId }: Append) {
  const [now] = await listResumable(ctx.db, [id], owner, null)
  if (!now || now.direct_key !== null) return uploadNotFound()
  if (now.offset_bytes !== offset) return offsetConflict(now.offset_bytes)
  if (askId !== undefined && now.asked_id !== askId) return uploadTakenOver()
  return uploadLocked()
}

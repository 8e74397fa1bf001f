import type { ConnectError, HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit'
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
import { hashed } from '../staging/hashed.js'
import { checkLength, uploadMissing } from './begin.js'
import { createCutter } from './cutter.js'
import { settleQuietly } from './settle.js'
import { checkTarget } from './target.js'

export type Append = {
  offset: bigint
  length: bigint | undefined
  /** When it asked for the upload, if it did. */
  askId: string | undefined
}

/**
 * Stores what comes, segment by segment: what is counted in is durable. However the chunks end,
 * those that came are kept; then what went wrong is thrown.
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
  const watched = ctx.appending.watch(append.id, next)
  try {
    const appender = ctx.appending.appender()
    let current = await ctx.write((db) => beginAppend(db, upload.id, append, appender))
    if (!current) throw await whyNot(ctx, upload, append)
    const cutter = createCutter(bounded(watched.next, offset, bound))
    while (await cutter.hasMore()) {
      if (current.segments >= ctx.cfg.segmentsMax) throw tooManySegments(ctx.cfg.segmentsMax)
      const segment = await store(ctx, upload.id, cutter.take(ctx.cfg.segmentBytesMax))
      const grown: ResumableUpload | undefined = await ctx.write((db) =>
        addSegment(db, upload.id, append.id, segment, ctx.cfg.uploadExpiryMs),
      )
      if (!grown) {
        await ctx.objects.delete([segment.key])
        throw await whyLost(ctx, upload)
      }
      current = grown
    }
    if (cutter.failure) throw cutter.failure.error
    return current
  } finally {
    await release(ctx, upload.id, append.id)
    watched[Symbol.dispose]()
  }
}

/** Where this fails, nobody takes the call for one that goes on: it is watched no longer. */
async function release(ctx: Ctx, id: string, appendId: string) {
  try {
    if (await endAppend(ctx.db, id, appendId)) await settleQuietly(ctx, [id])
  } catch (err) {
    ctx.log.warn({ err, upload: id }, 'a call that added to an upload could not say that it ended')
  }
}

/** How long the upload may become, and what is said of more. */
type Bound = { bytesMax: bigint; exceeded(): ConnectError }

/** Refuses who may not store anything there any more. */
async function checkAppend(
  ctx: Ctx,
  upload: ResumableUpload,
  { offset, length: told }: Omit<Append, 'askId'>,
  call: HandlerContext,
): Promise<Bound> {
  const target = { id: upload.target_id, type: upload.target_type }
  const { bytesLeft } = await checkTarget(ctx, target, call)
  if (upload.offset_bytes !== offset) throw offsetConflict(upload.offset_bytes)
  const known = upload.length_bytes
  if (known !== null) return { bytesMax: known, exceeded: () => uploadTooLong(known) }
  checkLength(ctx, told)
  if (told !== undefined && told < offset) throw invalid('length', 'is less than what has come')
  const room = await roomOf(ctx, upload, bytesLeft)
  if (room !== undefined && (told ?? offset) > room) throw storageExceeded(room)
  if (told !== undefined) return { bytesMax: told, exceeded: () => uploadTooLong(told) }
  const { uploadBytesMax } = ctx.cfg
  return room !== undefined && room < uploadBytesMax
    ? { bytesMax: room, exceeded: () => storageExceeded(room) }
    : { bytesMax: BigInt(uploadBytesMax), exceeded: () => tooLarge(uploadBytesMax) }
}

/** What the plan has left beside the other uploads; undefined: it does not limit them. */
async function roomOf(ctx: Ctx, upload: ResumableUpload, bytesLeft: bigint | undefined) {
  if (bytesLeft === undefined) return undefined
  const room = bytesLeft - (await declaredBytes(ctx.db, upload.workspace_id, upload.id))
  return room > 0n ? room : 0n
}

/** Without the chunk that is too much: the call ends with it. */
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

/** One object with its digest. */
async function store(ctx: Ctx, id: string, bytes: AsyncIterable<Uint8Array>) {
  const key = segmentKey(id, ctx.newId())
  const workspace = await ctx.workspaces.take()
  try {
    const { pieces, size } = hashed(bytes, workspace)
    await ctx.objects.put(key, pieces)
    return { key, size_bytes: size(), digest: await workspace.hash.digest() }
  } finally {
    ctx.workspaces.giveBack(workspace)
  }
}

async function whyLost(ctx: Ctx, { id, owner }: ResumableUpload) {
  const [now] = await listResumable(ctx.db, [id], owner, null)
  return now ? uploadTakenOver() : uploadMissing()
}

async function whyNot(ctx: Ctx, { id, owner }: ResumableUpload, { offset, askId }: Append) {
  const [now] = await listResumable(ctx.db, [id], owner, null)
  if (!now || now.direct_key !== null) return uploadMissing()
  if (now.offset_bytes !== offset) return offsetConflict(now.offset_bytes)
  if (askId !== undefined && now.asked_id !== askId) return uploadTakenOver()
  return uploadLocked()
}

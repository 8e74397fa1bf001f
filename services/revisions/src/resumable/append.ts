import type { HandlerContext } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import { gather } from '../domain/gather.js'
import {
  offsetConflict,
  storageExceeded,
  tooLarge,
  tooManySegments,
  uploadLocked,
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
import { checkLength, uploadMissing } from './begin.js'
import { createCutter } from './cutter.js'
import { segmentKey } from './keys.js'
import { settleQuietly } from './settle.js'
import { checkTarget } from './target.js'

export type Append = { offset: bigint; length: bigint | undefined }

/**
 * Stores what comes, segment by segment: what is counted in is durable. However the chunks end,
 * those that came are kept; then what went wrong is thrown.
 */
export async function appendTo(
  ctx: Ctx,
  upload: ResumableUpload,
  { offset, length }: Append,
  next: () => Promise<Uint8Array | undefined>,
  call: HandlerContext,
): Promise<ResumableUpload> {
  const bytesMax = await checkAppend(ctx, upload, { offset, length }, call)
  const append = { id: ctx.newOrderedId(), instance: ctx.instance.number, offset, length }
  let current = await ctx.write((db) => beginAppend(db, upload.id, append))
  if (!current) throw await whyNot(ctx, upload, offset)
  try {
    const cutter = createCutter(bounded(next, bytesMax - offset, upload))
    while (await cutter.hasMore()) {
      if (current.segments >= ctx.cfg.segmentsMax) throw tooManySegments(ctx.cfg.segmentsMax)
      const segment = await store(ctx, upload.id, cutter.take(ctx.cfg.segmentBytesMax))
      const grown: ResumableUpload | undefined = await ctx.write((db) =>
        addSegment(db, upload.id, append.id, segment, ctx.cfg.uploadExpiryMs),
      )
      if (!grown) {
        await ctx.objects.delete([segment.key])
        throw uploadMissing()
      }
      current = grown
    }
    if (cutter.failure) throw cutter.failure.error
    return current
  } finally {
    if (await endAppend(ctx.db, upload.id, append.id)) await settleQuietly(ctx, [upload.id])
  }
}

/** Refuses who may not store anything there any more; answers how long the upload may become. */
async function checkAppend(
  ctx: Ctx,
  upload: ResumableUpload,
  { offset, length }: Append,
  call: HandlerContext,
): Promise<bigint> {
  const target = { id: upload.target_id, type: upload.target_type }
  const { bytesLeft } = await checkTarget(ctx, target, call)
  if (upload.offset_bytes !== offset) throw offsetConflict(upload.offset_bytes)
  if (upload.length_bytes !== null) return upload.length_bytes
  checkLength(ctx, length)
  const all = BigInt(ctx.cfg.uploadBytesMax)
  if (bytesLeft === undefined) return length ?? all
  const room = bytesLeft - (await declaredBytes(ctx.db, upload.workspace_id, upload.id))
  if ((length ?? offset) > room) throw storageExceeded(room > 0n ? room : 0n)
  return length ?? (room < all ? room : all)
}

/** Without the chunk that is too much: the call ends with it. */
function bounded(
  next: () => Promise<Uint8Array | undefined>,
  bytesMax: bigint,
  { length_bytes }: ResumableUpload,
) {
  let left = bytesMax
  return async () => {
    const chunk = await next()
    left -= BigInt(chunk?.length ?? 0)
    if (left < 0n)
      throw length_bytes === null ? tooLarge(Number(bytesMax)) : uploadTooLong(length_bytes)
    return chunk
  }
}

/** One object with its digest; each piece is written at once. */
async function store(ctx: Ctx, id: string, bytes: AsyncIterable<Uint8Array>) {
  const key = segmentKey(ctx, id)
  const workspace = await ctx.workspaces.take()
  const { hasher, buffer } = workspace
  let size = 0
  async function* hashed() {
    for await (const piece of gather(bytes, buffer)) {
      size += piece.length
      hasher.update(piece)
      yield piece
    }
  }
  try {
    await ctx.objects.put(key, hashed())
    return { key, size_bytes: BigInt(size), digest: hasher.digest('hex') }
  } finally {
    ctx.workspaces.giveBack(workspace)
  }
}

async function whyNot(ctx: Ctx, { id, owner }: ResumableUpload, offset: bigint) {
  const [now] = await listResumable(ctx.db, [id], owner, null)
  if (!now || now.direct_key !== null) return uploadMissing()
  return now.offset_bytes === offset ? uploadLocked() : offsetConflict(now.offset_bytes)
}

import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { ObjectNotFound } from '@figbase/kit/objects'
import { forward, requireUser } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { ReadExportRequest } from '@figbase/proto/stories'
import type { Ctx } from '../context.js'
import { exportNotFound, exportOutdated } from '../errors.js'
import { formatOf } from '../exports/formats.js'
import { exportKey } from '../exports/object-key.js'
import { findExport } from '../queries/exports.js'
import type { Impl } from '../routes.js'
import { isVisible, resolveTold } from '../told.js'

const chunkBytesMax = 256 * 1024

export function readExport(ctx: Ctx): Impl['readExport'] {
  return async function* (req, call) {
    const file = await openExport(ctx, req, call)
    const { id, sizeBytes, fileName, format } = file
    const range = rangeOf(req, Number(sizeBytes))
    const value = { id, sizeBytes, fileName, format: formatOf[format] }
    yield { part: { case: 'export', value } }
    if (range.length === 0) return
    try {
      for await (const bytes of ctx.objects.get(exportKey(id), range)) {
        for (let at = 0; at < bytes.length; at += chunkBytesMax) {
          call.signal.throwIfAborted()
          yield { part: { case: 'chunk', value: bytes.subarray(at, at + chunkBytesMax) } }
        }
      }
    } catch (error) {
      // It has expired since, or a backup without it was restored.
      throw error instanceof ObjectNotFound ? exportNotFound() : error
    }
  }
}

/** An export of the caller, who may still view the story and every revision that the export shows. */
async function openExport(
  ctx: Ctx,
  { storyId, exportId }: ReadExportRequest,
  call: HandlerContext,
) {
  const owner = requireUser(call)
  const access = { id: storyId, permission: Permission.VIEW, type: NodeType.STORY }
  await ctx.catalog.checkAccess(access, forward(call))
  const row = isUuid(exportId)
    ? await findExport(ctx.db, exportId, ctx.cfg.exportRetentionMs)
    : undefined
  if (row?.owner !== owner || row.story_id !== storyId.toLowerCase()) throw exportNotFound()
  const { id, format, size_bytes: sizeBytes, file_name: fileName, revision_ids: shown } = row
  if (sizeBytes === null || fileName === null || shown === null) throw exportNotFound()
  const told = await resolveTold(ctx, shown, forward(call))
  if (!shown.every((one) => isVisible(one, told))) throw exportOutdated()
  return { id, format, sizeBytes, fileName }
}

function rangeOf({ offset, length }: ReadExportRequest, sizeBytes: number) {
  if (offset < 0n || offset > sizeBytes) {
    throw invalid('offset', `must be an integer between 0 and ${sizeBytes}`)
  }
  if (length !== undefined && length < 0n) throw invalid('length', 'must not be negative')
  const left = sizeBytes - Number(offset)
  return { offset: Number(offset), length: Math.min(left, Number(length ?? left)) }
}

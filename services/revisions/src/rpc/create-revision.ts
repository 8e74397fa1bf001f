import type { HandlerContext } from '@connectrpc/connect'
import { requireUser } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { figureNames } from '../domain/figure-names.js'
import { parseFinish } from '../domain/finish.js'
import { parseLinks } from '../domain/links.js'
import { inAnalysis, ofFigures } from '../domain/revision-kind.js'
import { storageExceeded } from '../errors.js'
import { beginAssignment, dropUncommitted } from '../publication/assignment.js'
import { type Committed, commit, type Draft } from '../publication/commit.js'
import { receive } from '../publication/receive.js'
import { checkParent, giveBack, reserve } from '../publication/reservation.js'
import { show } from '../publication/show.js'
import { takeUploads } from '../publication/take-uploads.js'
import { listExistingIds } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { partsOf } from '../staging/parts.js'
import { openUpload, type Upload } from '../staging/upload.js'
import { settleQuietly } from '../uploads/settle.js'
import { toRevision } from '../wire.js'
import { checkShortId } from './check-short-id.js'
import { checkLinks } from './links.js'

export function createRevision(ctx: Ctx): Impl['createRevision'] {
  return async (messages, call) => {
    const author = requireUser(call)
    const parts = partsOf(messages, call.signal)
    const upload = openUpload(ctx, ctx.cfg.heldBytesMax)
    try {
      const received = await receive(parts, upload, {
        ...ctx.cfg,
        checkParent: async (kind, id, expectedBytes) => {
          const { workspaceId, left, storage } = await checkParent(ctx, kind, id, call)
          if (left !== undefined && expectedBytes > left) throw storageExceeded(left)
          upload.limit(left)
          await upload.to(storage)
          return workspaceId
        },
      })
      const { clientId, ...own } = parseFinish(received.finish, ctx.cfg)
      await checkShortId(ctx, received.kind, own.shortId, author)
      const links = parseLinks(received.finish.links, received.kind, ctx.cfg.assetsMax)
      const id = clientId ?? ctx.newId()
      const shownLinks = await checkLinks(ctx, id, links, [], call)
      const objects = await takeUploads(ctx, upload, received.objects, received.workspaceId, call)
      const draft = { author, ...received, ...own, links, objects }
      const make = draft.kind === inAnalysis ? createAssigned : create
      const committed = await make(ctx, upload, draft, id, call)
      const { revision, data, leftovers, parent } = committed
      const { kind, silent, metadata } = draft
      const node = await show(ctx, { revision, data, kind, silent }, call).finally(async () => {
        if (leftovers) await upload.removeLeftovers()
        await settleQuietly(ctx, upload.uses)
      })
      const whole = toRevision({ ...revision, metadata }, node, data, shownLinks)
      return { revision: kind.type === 'figure_revision' ? { ...whole, parent } : whole }
    } catch (error) {
      await upload.discard()
      throw error
    } finally {
      parts.close()
      upload.end()
    }
  }
}

/** After a failure: true also where nobody knows, for then catalog and the job settle it. */
async function isThere(ctx: Ctx, id: string): Promise<boolean> {
  const found = await listExistingIds(ctx.db, [id]).catch(() => [id])
  return found.length > 0
}

/** In a figure of its own, which is temporary. */
async function createAssigned(
  ctx: Ctx,
  upload: Upload,
  draft: Draft,
  id: string,
  call: HandlerContext,
): Promise<Committed> {
  const { parentId: analysisId, metadata, objects, silent } = draft
  const names = figureNames(metadata, objects)
  const beginning = { revisionId: id, analysisId, names, silent }
  const assignment = await beginAssignment(ctx, beginning, call)
  const parentId = assignment.figure_id
  try {
    return await create(ctx, upload, { ...draft, kind: ofFigures, parentId, assignment }, id, call)
  } catch (error) {
    await dropUncommitted(ctx, id)
    throw error
  }
}

/** Reserve, then commit; the reservation is given back when nothing was committed. */
async function create(
  ctx: Ctx,
  upload: Upload,
  draft: Draft,
  id: string,
  call: HandlerContext,
): Promise<Committed> {
  const { kind, parentId, objects } = draft
  const sizeBytes = objects.reduce((sum, { size }) => sum + size, 0n)
  const reserved = await reserve(ctx, { id, kind, parentId, sizeBytes }, call)
  try {
    call.signal.throwIfAborted()
    return await commit(ctx, upload, draft, reserved)
  } catch (error) {
    // Else the connection broke after the commit, and the job will finish what it began.
    if ((await upload.discard()) && !(await isThere(ctx, id))) await giveBack(ctx, id, call)
    throw error
  }
}

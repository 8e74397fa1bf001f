import { Code, type HandlerContext } from '@connectrpc/connect'
import { forward, forwardDetached, hasCode, invalid, isUuid, requireUser } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { parseFinish } from '../domain/finish.js'
import { parseLinks } from '../domain/links.js'
import type { RevisionKind } from '../domain/revision-kind.js'
import { aboutParent, duplicateClientId, isFinal, storageExceeded } from '../errors.js'
import type { Impl } from '../routes.js'
import { activatePatiently } from '../upload/activate.js'
import { type Committed, commit, type Draft } from '../upload/commit.js'
import { partsOf } from '../upload/parts.js'
import { receive } from '../upload/receive.js'
import { openUpload, type Upload } from '../upload/upload.js'
import { assumedNode, type Common, toRevision } from '../wire.js'
import { checkShortId } from './check-short-id.js'
import { checkLinks } from './links.js'

export function createRevision(ctx: Ctx): Impl['createRevision'] {
  return async (messages, call) => {
    const author = requireUser(call)
    const parts = partsOf(messages, call.signal)
    const upload = openUpload(ctx)
    try {
      const received = await receive(parts, upload, {
        ...ctx.cfg,
        checkParent: async (kind, id, expectedBytes) => {
          const left = await checkParent(ctx, kind, id, call)
          if (left !== undefined && expectedBytes > left) throw storageExceeded(left)
          upload.limit(left)
        },
      })
      const { clientId, ...own } = parseFinish(received.finish, ctx.cfg)
      await checkShortId(ctx, received.kind, own.shortId, author)
      const links = parseLinks(received.finish.links, received.kind, ctx.cfg.assetsMax)
      const id = clientId ?? ctx.newId()
      const shownLinks = await checkLinks(ctx, id, links, [], call)
      const draft = { author, ...received, ...own, links }
      const committed = await create(ctx, upload, draft, id, call)
      const node = await show(ctx, upload, committed, draft, call)
      const { revision, data } = committed
      const whole = { ...revision, metadata: draft.metadata }
      return { revision: toRevision(whole, node, data, shownLinks) }
    } catch (error) {
      await upload.discard()
      throw error
    } finally {
      parts.close()
      upload.end()
    }
  }
}

/** Answers how many bytes the plan has left; undefined: it does not limit them. */
async function checkParent(ctx: Ctx, kind: RevisionKind, id: string, call: HandlerContext) {
  if (!isUuid(id)) throw invalid(kind.parentField, 'must be a UUID')
  const request = { id, permission: Permission.CREATE, type: kind.parentType }
  try {
    return (await ctx.catalog.checkAccess(request, forward(call))).storageBytesLeft
  } catch (error) {
    throw aboutParent(error, kind)
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
  const reserved = await reserve(ctx, id, draft, call)
  try {
    call.signal.throwIfAborted()
    return await commit(ctx, upload, draft, reserved)
  } catch (error) {
    // False: the connection broke after the commit, and the job will finish what it began.
    if (await upload.discard()) {
      await ctx.catalog.abandon({ id }, forwardDetached(call)).catch((err: unknown) => {
        ctx.log.warn({ err, id }, 'a reservation could not be given back')
      })
    }
    throw error
  }
}

async function reserve(ctx: Ctx, id: string, draft: Draft, call: HandlerContext) {
  const { kind, parentId, objects } = draft
  const sizeBytes = objects.reduce((sum, { size }) => sum + size, 0n)
  try {
    // Detached: a hang-up half way would leave it unknown whether there is a reservation.
    const request = { id, type: kind.nodeType, parentId, sizeBytes }
    return await ctx.catalog.reserve(request, forwardDetached(call))
  } catch (error) {
    if (hasCode(error, Code.AlreadyExists)) throw duplicateClientId()
    throw aboutParent(error, kind)
  }
}

/**
 * Activates. When catalog does not answer, the revision is committed all the same and the job
 * will show it: the caller gets it as created, for it would only send it once more.
 */
async function show(
  ctx: Ctx,
  upload: Upload,
  committed: Committed,
  draft: Draft,
  call: HandlerContext,
): Promise<Common> {
  const { revision, data } = committed
  const { id, revision_index: position } = revision
  const activation = { id, position, leaves: data, silent: draft.silent }
  try {
    return await activatePatiently(ctx, activation, () => forwardDetached(call, 5000))
  } catch (error) {
    if (isFinal(error)) throw aboutParent(error, draft.kind)
    // The revision is committed, and the job will activate it.
    ctx.log.warn({ err: error, id: revision.id }, 'left to the job to activate')
    return assumedNode(revision, data)
  } finally {
    if (committed.leftovers) await upload.discard()
  }
}

import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import type {
  CreateRevisionRequest,
  CreateRevisionRequest_Finish as Finish,
  CreateRevisionRequest_Parent as Parent,
} from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { figureNames } from '../domain/figure-names.js'
import { parseFinish } from '../domain/finish.js'
import { parseLinks } from '../domain/links.js'
import { inAnalysis, ofFigures, revisionKind } from '../domain/revision-kind.js'
import { storageExceeded } from '../errors.js'
import { activateOrDefer } from '../publication/activate-or-defer.js'
import { abandonUncommitted, beginAssignment } from '../publication/assignment.js'
import { type Committed, commit, type Draft } from '../publication/commit.js'
import type { Listed } from '../publication/objects.js'
import { type RequestPart, receive } from '../publication/receive.js'
import { checkParent, withReservation } from '../publication/reservation.js'
import { stageUploads } from '../publication/stage-uploads.js'
import type { Impl } from '../routes.js'
import { type Parts, partsOf } from '../staging/parts.js'
import { openUpload, type Upload } from '../staging/upload.js'
import { settleQuietly } from '../uploads/settle.js'
import { toRevision } from '../wire.js'
import { checkShortId } from './check-short-id.js'
import { checkLinks } from './links.js'

/** `importSource` says where the revision is imported from. */
export function createRevision(
  ctx: Ctx,
  { importSource = null }: { importSource?: string | null } = {},
): Impl['createRevision'] {
  return async (messages, call) => {
    const author = requireUser(call)
    const parts = partsOf(messages, call.signal)
    const upload = openUpload(ctx, bufferedBytesMax(ctx.cfg))
    try {
      const { opened, list, finish } = await receive(requestParts(parts), upload, {
        ...ctx.cfg,
        field: 'parent',
        placeComesFirst: false,
        open: (parent) => openParent(ctx, upload, parent, call),
      })
      const { kind } = opened
      const { clientId, ...own } = parseFinish(finish, ctx.cfg)
      await checkShortId(ctx, kind, own.shortId, author)
      const links = parseLinks(finish.links, kind, ctx.cfg.assetsMax)
      const id = clientId ?? ctx.newId()
      const shownLinks = await checkLinks(ctx, id, links, [], call)
      const objects = await stageUploads(ctx, upload, requireNew(list), opened.workspaceId, call)
      const draft = { author, kind, parentId: opened.id, ...own, importSource, links, objects }
      const createDraft = kind === inAnalysis ? createAssigned : create
      const committed = await createDraft(ctx, upload, draft, id, call)
      const { revision, data, leftovers, parent } = committed
      const { silent, metadata } = draft
      const assetRevisionIds = links.map((link) => link.assetRevisionId)
      const activated = { revision, data, kind, silent, assetRevisionIds }
      const node = await activateOrDefer(ctx, activated, call).finally(async () => {
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
      upload.close()
    }
  }
}

/** With a shorter `COLLECT_GRACE`, an object without a row could be collected before it is committed. */
const bufferingGraceMsMin = 10 * 60_000

const bufferedBytesMax = (cfg: Ctx['cfg']) =>
  cfg.collectGraceMs < bufferingGraceMsMin ? 0 : cfg.bufferedBytesMax

const requestParts = (parts: Parts<CreateRevisionRequest['part']>) => ({
  async next(): Promise<RequestPart<Parent, Finish> | undefined> {
    const part = await parts.next()
    return part?.case === 'parent' ? { case: 'place' as const, value: part.value } : part
  },
})

/** Throws if the caller may not create there, or if the bytes exceed the plan. */
async function openParent(
  ctx: Ctx,
  upload: Upload,
  { id, type, autoAssign, expectedBytes }: Parent,
  call: HandlerContext,
) {
  const kind = autoAssign ? inAnalysis : revisionKind(type)
  const { workspaceId, left, storage } = await checkParent(ctx, kind, id, call)
  if (left !== undefined && expectedBytes > left) throw storageExceeded(left)
  upload.limit(left)
  await upload.moveTo(storage)
  return { id: id.toLowerCase(), kind, field: kind.parentField, workspaceId }
}

/** A new revision has no stored data to keep. */
function requireNew(list: Listed[]): Exclude<Listed, string>[] {
  return list.map((one, index) => {
    if (typeof one === 'string') throw invalid(`data[${index}].data`, 'is required')
    return one
  })
}

/** Creates the revision in a temporary figure. */
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
    await abandonUncommitted(ctx, id)
    throw error
  }
}

function create(
  ctx: Ctx,
  upload: Upload,
  draft: Draft,
  id: string,
  call: HandlerContext,
): Promise<Committed> {
  const { kind, parentId, objects } = draft
  const sizeBytes = objects.reduce((sum, { size }) => sum + size, 0n)
  return withReservation(ctx, { id, kind, parentId, sizeBytes }, call, (reserved) =>
    // A discarded upload cannot be committed later.
    commit(ctx, upload, draft, reserved, call).catch(async (error: unknown) => {
      await upload.discard()
      throw error
    }),
  )
}

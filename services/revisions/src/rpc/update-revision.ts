import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { forward, requireUser } from '@figbase/kit/rpc'
import { Permission } from '@figbase/proto/catalog'
import {
  type UpdateRevisionRequest_Finish as Finish,
  UpdateRevisionRequest_Mode as Mode,
  type UpdateRevisionRequest_Target as Target,
  type UpdateRevisionRequest,
} from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { parseChanges } from '../domain/finish.js'
import { parseLinks } from '../domain/links.js'
import { type RevisionKind, revisionKind } from '../domain/revision-kind.js'
import { storageExceeded } from '../errors.js'
import { checkVersion, planUpdate, type UpdateDraft } from '../publication/commit-update.js'
import { type Received, type RequestPart, receive } from '../publication/receive.js'
import { accessOf } from '../publication/reservation.js'
import { stageUploads } from '../publication/stage-uploads.js'
import { writeUpdate } from '../publication/write-update.js'
import { listData, listDataSizes } from '../queries/data.js'
import { listLinks } from '../queries/links.js'
import { getRevision, getSummary } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { type Parts, partsOf } from '../staging/parts.js'
import { openUpload, type Upload } from '../staging/upload.js'
import { type Links, toRevision } from '../wire.js'
import { checkLinks, linksOf } from './links.js'

export function updateRevision(ctx: Ctx): Impl['updateRevision'] {
  return async (messages, call) => {
    const author = requireUser(call)
    const parts = partsOf(messages, call.signal)
    // An update may be refused under its lock, after the objects are stored. So each object needs a row, and
    // none is buffered.
    const upload = openUpload(ctx, 0)
    try {
      const received = await receive(requestParts(parts), upload, {
        ...ctx.cfg,
        field: 'target',
        placeComesFirst: true,
        open: (target) => openTarget(ctx, upload, target, call),
      })
      const { draft, growth, links } = await prepare(ctx, upload, received, author, call)
      const { kind } = received.opened
      const written = await writeUpdate(ctx, upload, draft, kind, growth, call)
      const { revision, data, node, parent } = written
      return { revision: { ...toRevision(revision, node, data, links), parent } }
    } catch (error) {
      await upload.discard()
      throw error
    } finally {
      parts.close()
      upload.close()
    }
  }
}

const requestParts = (parts: Parts<UpdateRevisionRequest['part']>) => ({
  async next(): Promise<RequestPart<Target, Finish> | undefined> {
    const part = await parts.next()
    return part?.case === 'target' ? { case: 'place' as const, value: part.value } : part
  },
})

type Opened = {
  id: string
  field: string
  workspaceId: string
  kind: RevisionKind
  mode: UpdateDraft['mode']
  expectedVersion: number | undefined
}

/** Throws if the caller may not update it, if the bytes exceed the plan, or if the version is outdated. */
async function openTarget(
  ctx: Ctx,
  upload: Upload,
  { id, type, mode, expectedBytes, expectedVersion }: Target,
  call: HandlerContext,
): Promise<Opened> {
  const kind = revisionKind(type)
  const request = { id, permission: Permission.UPDATE, type: kind.nodeType }
  const access = await ctx.catalog.checkAccess(request, forward(call))
  const { workspaceId, left, storage } = accessOf(access)
  checkVersion(await getSummary(ctx.db, id), expectedVersion)
  if (mode === Mode.UNSPECIFIED) throw invalid('mode', 'is required')
  if (left !== undefined) {
    const room = left + (mode === Mode.REPLACE ? await sizeOf(ctx, id) : 0n)
    if (expectedBytes > room) throw storageExceeded(room)
    upload.limit(room)
  }
  await upload.moveTo(storage)
  return {
    id: id.toLowerCase(),
    field: 'target',
    workspaceId,
    kind,
    mode: mode === Mode.APPEND ? 'append' : 'replace',
    expectedVersion,
  }
}

/** The bytes that a replacement may free. */
async function sizeOf(ctx: Ctx, id: string) {
  const sizes = await listDataSizes(ctx.db, id)
  return sizes.reduce((sum, one) => sum + one.size_bytes, 0n)
}

/** The draft of the update. Throws if the request is invalid. */
async function prepare(
  ctx: Ctx,
  upload: Upload,
  { opened, list, finish }: Received<Opened, Finish>,
  author: string,
  call: HandlerContext,
) {
  const { id, workspaceId, kind, mode, expectedVersion } = opened
  const before = await getRevision(ctx.db, id)
  const parentId = finish.parentId?.toLowerCase()
  const parents = [undefined, before.parent_id, before.assigned_from]
  if (!parents.includes(parentId)) {
    throw invalid(kind.parentField, 'cannot be changed')
  }
  const links = finish.links && parseLinks(finish.links.links, kind, ctx.cfg.assetsMax)
  const taken = await stageUploads(ctx, upload, list, workspaceId, call)
  const draft: UpdateDraft = {
    revisionId: id,
    author,
    mode,
    expectedVersion,
    list: taken.map((one) => (typeof one === 'string' ? one : { ...one, id: ctx.newId() })),
    changes: parseChanges(finish, ctx.cfg),
    links,
    silent: finish.silent,
  }
  const plan = planUpdate(ctx.cfg, draft, before, await listData(ctx.db, id))
  const isLinked = links && kind.type === 'figure_revision'
  const resultLinks: Links = isLinked
    ? await checkLinks(ctx, id, links, await listLinks(ctx.db, id), call)
    : await linksOf(ctx, before, call)
  return { draft, growth: plan?.growth ?? 0n, links: resultLinks }
}

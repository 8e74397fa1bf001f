import type { HandlerContext } from '@connectrpc/connect'
import { forward, invalid, requireUser } from '@figbase/kit'
import { type Parent, Permission } from '@figbase/proto/catalog'
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
import { applyPatiently } from '../publication/apply-update.js'
import {
  type CommittedUpdate,
  checkVersion,
  commitUpdate,
  planUpdate,
  type UpdateDraft,
} from '../publication/commit-update.js'
import { type Received, type RequestPart, receive } from '../publication/receive.js'
import { roomOf, updating } from '../publication/reservation.js'
import { takeUploads } from '../publication/take-uploads.js'
import { listData, listLeaves } from '../queries/data.js'
import { listLinks } from '../queries/links.js'
import { getRevision, getSummary } from '../queries/revisions.js'
import type { Impl } from '../routes.js'
import { type Parts, partsOf } from '../staging/parts.js'
import { openUpload, type Upload } from '../staging/upload.js'
import { settleQuietly } from '../uploads/settle.js'
import { assumedUpdate, type Common, type Links, toRevision } from '../wire.js'
import { checkLinks, linksOf } from './links.js'

export function updateRevision(ctx: Ctx): Impl['updateRevision'] {
  return async (messages, call) => {
    const author = requireUser(call)
    const parts = partsOf(messages, call.signal)
    // An update may be refused under its lock, after the objects are stored: a row speaks of each.
    const upload = openUpload(ctx, 0)
    try {
      const received = await receive(placed(parts), upload, {
        ...ctx.cfg,
        field: 'target',
        placeComesFirst: true,
        open: (target) => openTarget(ctx, upload, target, call),
      })
      const { draft, growth, links } = await prepare(ctx, upload, received, author, call)
      const { kind } = received.opened
      const written = await write(ctx, upload, draft, kind, growth, call)
      const { revision, data, node, parent } = written
      return { revision: { ...toRevision(revision, node, data, links), parent } }
    } catch (error) {
      await upload.discard()
      throw error
    } finally {
      parts.close()
      upload.end()
    }
  }
}

const placed = (parts: Parts<UpdateRevisionRequest['part']>) => ({
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

/** Refuses who may not update it, or store so much; and who has read an older version. */
async function openTarget(
  ctx: Ctx,
  upload: Upload,
  { id, type, mode, expectedBytes, expectedVersion }: Target,
  call: HandlerContext,
): Promise<Opened> {
  const kind = revisionKind(type)
  const request = { id, permission: Permission.UPDATE, type: kind.nodeType }
  const access = await ctx.catalog.checkAccess(request, forward(call))
  const { workspaceId, left, storage } = roomOf(access)
  checkVersion(await getSummary(ctx.db, id), expectedVersion)
  if (mode === Mode.UNSPECIFIED) throw invalid('mode', 'is required')
  if (left !== undefined) {
    const room = left + (mode === Mode.REPLACE ? await sizeOf(ctx, id) : 0n)
    if (expectedBytes > room) throw storageExceeded(room)
    upload.limit(room)
  }
  await upload.to(storage)
  return {
    id: id.toLowerCase(),
    field: 'target',
    workspaceId,
    kind,
    mode: mode === Mode.APPEND ? 'append' : 'replace',
    expectedVersion,
  }
}

/** What a replacement may free. */
async function sizeOf(ctx: Ctx, id: string) {
  const leaves = await listLeaves(ctx.db, id)
  return leaves.reduce((sum, leaf) => sum + leaf.size_bytes, 0n)
}

/** What is to be written; throws what is wrong with it. */
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
  const taken = await takeUploads(ctx, upload, list, workspaceId, call)
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
  const shown: Links = isLinked
    ? await checkLinks(ctx, id, links, await listLinks(ctx.db, id), call)
    : await linksOf(ctx, before, call)
  return { draft, growth: plan?.growth ?? 0n, links: shown }
}

/** Reserve, commit, apply. */
async function write(
  ctx: Ctx,
  upload: Upload,
  draft: UpdateDraft,
  kind: RevisionKind,
  growthBytes: bigint,
  call: HandlerContext,
): Promise<CommittedUpdate & { node: Common; parent: Parent | undefined }> {
  await upload.stored()
  const { revisionId: id, author, silent } = draft
  const request = { id, growthBytes, withParent: kind.type === 'figure_revision' }
  const { committed, reserved } = await updating(ctx, request, call, (reservation) =>
    commitUpdate(ctx, upload, draft, reservation),
  )
  const { revision, data } = committed
  const { updateId, updatedOn, parent } = reserved
  const contentVersion = revision.content_version
  const leaves = draft.list.length > 0 ? data : undefined
  try {
    const application = { updateId, id, leaves, contentVersion, silent }
    const node = await applyPatiently(ctx, application, call)
    const shown = node ?? assumedUpdate(revision, data, author, updatedOn)
    return { ...committed, node: shown, parent }
  } finally {
    if (revision.leftovers) await upload.removeLeftovers()
    await settleQuietly(ctx, upload.uses)
  }
}

import type { HandlerContext } from '@connectrpc/connect'
import { forward, forwardDetached, invalid, requireUser } from '@figbase/kit'
import { Permission, type ReserveUpdateResponse } from '@figbase/proto/catalog'
import {
  UpdateRevisionRequest_Mode as Mode,
  type UpdateRevisionRequest_Target as Target,
} from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { parseChanges } from '../domain/finish.js'
import { parseLinks } from '../domain/links.js'
import { type RevisionKind, revisionKind } from '../domain/revision-kind.js'
import { isFinal, storageExceeded } from '../errors.js'
import { listData, listLeaves } from '../queries/data.js'
import { listLinks } from '../queries/links.js'
import { getRevision, getRevisionLocked, getSummary } from '../queries/revisions.js'
import { isUpdateCommitted } from '../queries/unsettled-updates.js'
import type { Impl } from '../routes.js'
import { applyUpdate } from '../upload/apply-update.js'
import {
  type CommittedUpdate,
  checkVersion,
  commitUpdate,
  planUpdate,
  type UpdateDraft,
} from '../upload/commit-update.js'
import { partsOf } from '../upload/parts.js'
import { patiently } from '../upload/patiently.js'
import { type ReceivedUpdate, receiveUpdate } from '../upload/receive-update.js'
import { openUpload, type Upload } from '../upload/upload.js'
import { assumedUpdate, type Common, type Links, toRevision } from '../wire.js'
import { checkLinks, linksOf } from './links.js'

export function updateRevision(ctx: Ctx): Impl['updateRevision'] {
  return async (messages, call) => {
    const author = requireUser(call)
    const parts = partsOf(messages, call.signal)
    const upload = openUpload(ctx)
    try {
      const open = (target: Target) => openTarget(ctx, upload, target, call)
      const received = await receiveUpdate(parts, upload, ctx.cfg, open)
      const { draft, growth, links } = await prepare(ctx, received, author, call)
      const { revision, data, node } = await write(ctx, upload, draft, growth, call)
      return { revision: toRevision(revision, node, data, links) }
    } catch (error) {
      await upload.discard()
      throw error
    } finally {
      parts.close()
      upload.end()
    }
  }
}

type Opened = {
  id: string
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
  const { storageBytesLeft: left } = await ctx.catalog.checkAccess(request, forward(call))
  checkVersion(await getSummary(ctx.db, id), expectedVersion)
  if (mode === Mode.UNSPECIFIED) throw invalid('mode', 'is required')
  if (left !== undefined) {
    const room = left + (mode === Mode.REPLACE ? await sizeOf(ctx, id) : 0n)
    if (expectedBytes > room) throw storageExceeded(room)
    upload.limit(room)
  }
  return {
    id: id.toLowerCase(),
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
  { target, list, finish }: ReceivedUpdate<Opened>,
  author: string,
  call: HandlerContext,
) {
  const { id, kind, mode, expectedVersion } = target
  const before = await getRevision(ctx.db, id)
  if (finish.parentId !== undefined && finish.parentId.toLowerCase() !== before.parent_id) {
    throw invalid(kind.parentField, 'cannot be changed')
  }
  const links = finish.links && parseLinks(finish.links.links, kind, ctx.cfg.assetsMax)
  const draft: UpdateDraft = {
    revisionId: id,
    author,
    mode,
    expectedVersion,
    list: list.map((one) => (typeof one === 'string' ? one : { ...one, id: ctx.newId() })),
    changes: parseChanges(finish, ctx.cfg),
    links,
    silent: finish.silent,
  }
  const plan = planUpdate(ctx.cfg, draft, before, await listData(ctx.db, id))
  const shown: Links = links
    ? await checkLinks(ctx, id, links, await listLinks(ctx.db, id), call)
    : await linksOf(ctx, before, call)
  return { draft, growth: plan?.growth ?? 0n, links: shown }
}

/** Reserve, commit, apply; the reservation is given back when nothing was committed. */
async function write(
  ctx: Ctx,
  upload: Upload,
  draft: UpdateDraft,
  growthBytes: bigint,
  call: HandlerContext,
): Promise<CommittedUpdate & { node: Common }> {
  // Detached: a hang-up half way would leave it unknown whether there is a reservation.
  const request = { id: draft.revisionId, growthBytes }
  const reserved = await ctx.catalog.reserveUpdate(request, forwardDetached(call))
  const committed = await commit(ctx, upload, draft, reserved, call)
  return { ...committed, node: await apply(ctx, upload, draft, committed, reserved, call) }
}

async function commit(
  ctx: Ctx,
  upload: Upload,
  draft: UpdateDraft,
  reserved: ReserveUpdateResponse,
  call: HandlerContext,
) {
  try {
    call.signal.throwIfAborted()
    return await commitUpdate(ctx, upload, draft, reserved)
  } catch (error) {
    await upload.discard()
    await giveBack(ctx, draft.revisionId, reserved.updateId, call).catch((err: unknown) => {
      ctx.log.warn({ err, id: reserved.updateId }, 'a reservation could not be given back')
    })
    throw error
  }
}

/** Unless the connection broke after the commit: the job will finish what it began. */
async function giveBack(ctx: Ctx, revisionId: string, updateId: string, call: HandlerContext) {
  const isCommitted = await ctx.transact(async (tx) => {
    await getRevisionLocked(tx, revisionId)
    return isUpdateCommitted(tx, updateId)
  })
  if (!isCommitted) await ctx.catalog.abandonUpdate({ updateId }, forwardDetached(call))
}

/**
 * When catalog does not answer, the update is committed all the same and the job will apply it: the
 * caller gets it as done, for it would only send it once more.
 */
async function apply(
  ctx: Ctx,
  upload: Upload,
  draft: UpdateDraft,
  { revision, data }: CommittedUpdate,
  { updateId, updatedOn }: ReserveUpdateResponse,
  call: HandlerContext,
): Promise<Common> {
  const { id, content_version: contentVersion } = revision
  const leaves = draft.list.length > 0 ? data : undefined
  const application = { updateId, id, leaves, contentVersion, silent: draft.silent }
  try {
    return await patiently(ctx, updateId, () =>
      applyUpdate(ctx, application, forwardDetached(call, 5000)),
    )
  } catch (error) {
    if (isFinal(error)) throw error
    ctx.log.warn({ err: error, id: updateId }, 'left to the job to apply')
    return assumedUpdate(revision, data, draft.author, updatedOn)
  } finally {
    if (revision.leftovers) await upload.discard()
  }
}

import type { HandlerContext } from '@connectrpc/connect'
import { Code } from '@connectrpc/connect'
import { toIso, toTimestamp } from '@figbase/kit/db'
import { hasCode, invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, forwardDetached, requireUnbound, requireUser } from '@figbase/kit/rpc'
import { NodeType, Permission, type ReserveResponse } from '@figbase/proto/catalog'
import type { CreateStoryRequest } from '@figbase/proto/stories'
import type { Ctx } from '../context.js'
import { type Content, contentBytes } from '../domain/content.js'
import { newContent } from '../domain/merge-content.js'
import { parseRevisionIds, parseSlides } from '../domain/parse-slides.js'
import { aboutWorkspace, duplicateClientId, isFinal } from '../errors.js'
import { storyChanged } from '../events.js'
import { requireAi } from '../insight/ai-state.js'
import { settleStory } from '../job-names.js'
import { memberOf } from '../member-of.js'
import { activate } from '../publication/activate.js'
import { assumedNode } from '../publication/assumed-node.js'
import { orDefer } from '../publication/or-defer.js'
import { settleDelayMs } from '../publication/settle-delay.js'
import { insertStory, listExistingIds } from '../queries/stories.js'
import type { Impl } from '../routes.js'
import { startGeneration } from '../story-writer/start-generation.js'
import { isVisible, notVisible, resolveTold } from '../told.js'
import { toStory } from '../wire.js'

const attemptMs = 5000

export function createStory(ctx: Ctx): Impl['createStory'] {
  return async (req, call) => {
    // A task belongs to no workspace.
    const author = req.generate ? requireUnbound(call) : requireUser(call)
    await checkWorkspace(ctx, req.workspaceId, call)
    const model = req.generate ? await requireAi(ctx, '', forward(call)) : undefined
    const content = parseContent(ctx, req)
    const told = await resolveTold(ctx, content.revisionIds, forward(call))
    const refused = content.revisionIds.find((id) => !isVisible(id, told))
    if (refused !== undefined) {
      const members = { revisionIds: req.revisionIds, slides: req.slides?.slides }
      throw notVisible(memberOf(members, refused))
    }

    const reserved = await reserve(ctx, req, content, call)
    const { id, workspaceId } = reserved
    const createdOn = await committing(ctx, id, call, () =>
      commit(ctx, reserved, content, author, req.silent, call),
    )
    const sizeBytes = BigInt(contentBytes(content))
    const activation = { id, sizeBytes, silent: req.silent }
    const node = await orDefer(ctx, id, () =>
      activate(ctx, activation, forwardDetached(call, attemptMs)),
    ).catch((error: unknown) => {
      throw isFinal(error) ? aboutWorkspace(error) : error
    })
    const assumed = { id, workspaceId, createdBy: author, createdOn, sizeBytes, content }
    const status = model ? ('generating' as const) : null
    if (model && status) {
      await startGeneration(ctx, { storyId: id, status, username: author, model, workspaceId })
    }
    const row = { version: 1, generation_status: status, revisions_visible: false }
    return { story: toStory(row, content, node ?? assumedNode(assumed), told) }
  }
}

async function checkWorkspace({ catalog }: Ctx, id: string, call: HandlerContext) {
  if (!isUuid(id)) throw invalid('workspace', 'must be a UUID')
  const request = { id, permission: Permission.CREATE, type: NodeType.WORKSPACE }
  await catalog.checkAccess(request, forward(call)).catch((error: unknown) => {
    throw aboutWorkspace(error)
  })
}

function parseContent({ cfg, newId }: Ctx, req: CreateStoryRequest): Content {
  const changes = {
    name: req.name,
    description: req.description,
    revisionIds: req.revisionIds.length > 0 ? parseRevisionIds(req.revisionIds, cfg) : undefined,
    slides: req.slides && parseSlides(req.slides.slides, cfg, newId),
  }
  return newContent(changes, cfg, newId)
}

async function reserve(
  { catalog, newId }: Ctx,
  { clientId, workspaceId }: CreateStoryRequest,
  content: Content,
  call: HandlerContext,
): Promise<ReserveResponse> {
  const { name, description } = content
  const request = {
    id: clientId ?? newId(),
    type: NodeType.STORY,
    parentId: workspaceId,
    sizeBytes: BigInt(contentBytes(content)),
    texts: { name, ...(description !== null && { description }) },
  }
  try {
    // Detached from the call: if the client disconnects, the reservation must still be known here.
    return await catalog.reserve(request, forwardDetached(call))
  } catch (error) {
    if (hasCode(error, Code.AlreadyExists)) throw duplicateClientId()
    throw aboutWorkspace(error)
  }
}

/** Abandons the reservation if nothing was committed. */
async function committing<T>(
  { db, catalog, log }: Ctx,
  id: string,
  call: HandlerContext,
  commit: () => Promise<T>,
): Promise<T> {
  try {
    call.signal.throwIfAborted()
    return await commit()
  } catch (error) {
    // If the story exists, the connection was lost after the commit, and the job will finish the creation.
    const mayBeThere = await listExistingIds(db, [id]).catch(() => [id])
    if (mayBeThere.length === 0) {
      await catalog
        .abandon({ id }, forwardDetached(call))
        .catch((err: unknown) => log.warn({ err, id }, 'abandoning a reservation failed'))
    }
    throw error
  }
}

/** Returns the time of the creation, as PostgreSQL writes it. */
async function commit(
  ctx: Ctx,
  { id, workspaceId, createdOn }: ReserveResponse,
  content: Content,
  createdBy: string,
  isSilent: boolean,
  call: HandlerContext,
): Promise<string> {
  if (!createdOn) throw new Error('catalog returned no time for a reservation')
  return ctx.transact(async (tx) => {
    const story = { id, createdBy, createdOn: toIso(createdOn), isSilent }
    const saved = await insertStory(tx, story, content)
    const change = { storyId: id, version: 1, workspaceId, savedBy: createdBy, silent: isSilent }
    await ctx.publish(tx, storyChanged, { ...change, savedOn: toTimestamp(saved) })
    const runAt = new Date(Date.now() + settleDelayMs)
    await ctx.enqueue(tx, settleStory, { storyId: id }, { key: id, workspaceId, runAt })
    await ctx.record(tx, call, () => ({ story: { node: { id } } }))
    return saved
  })
}

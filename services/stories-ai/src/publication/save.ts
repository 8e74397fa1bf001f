import { toIso, toTimestamp } from '@figbase/kit/db'
import { unavailable } from '@figbase/kit/errors'
import { NodeType, Permission, type ReserveUpdateResponse } from '@figbase/proto/catalog'
import type { Story } from '@figbase/proto/stories'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { type Content, contentBytes } from '../domain/content.js'
import { type Opened, openedAfter } from '../domain/opened.js'
import { nothingToOpen, reservationTooOld, storyNotFound, versionMismatch } from '../errors.js'
import { storyChanged } from '../events.js'
import { settleStory } from '../job-names.js'
import {
  type CurrentStory,
  findStory,
  findStoryLocked,
  type SavedVersion,
  saveVersion,
} from '../queries/stories.js'
import { resolveTold, type Told } from '../told.js'
import { toContent, toStory } from '../wire.js'
import type { Acting } from './acting.js'
import { applyUpdate } from './apply-update.js'
import { assumedNode } from './assumed-node.js'
import { orDefer } from './or-defer.js'
import { settleDelayMs } from './settle-delay.js'
import { withUpdateReservation } from './update-reservation.js'

export type Change = {
  storyId: string
  author: string
  expectedVersion: number | undefined
  silent: boolean
  /** The next content. Called again if another version was saved meanwhile. */
  apply(before: Content): Content
  /** Whether the caller may add a revision to the story. */
  mayAdd(id: string, told: Told): boolean
  /** The error if they may not. */
  refusal(id: string): Error
  /** Whether readers see the told revisions that the author may update; undefined: unchanged. */
  visible?: boolean | undefined
  /** Runs in the transaction that saves; if it throws, nothing is saved. */
  also?(tx: Tx): Promise<void>
}

type Committed = { story: CurrentStory; content: Content; saved: SavedVersion }

const attemptsMax = 5
const attemptMs = 5000

/**
 * Saves a new version of a story that the caller may update: reserve in catalog, commit, apply in catalog. If another
 * version is saved meanwhile, the change is applied to that one.
 */
export async function save(ctx: Ctx, change: Change, acting: Acting): Promise<Story> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const before = await findStory(ctx.db, change.storyId)
    if (!before) throw storyNotFound()
    checkVersion(before, change.expectedVersion)
    const content = change.apply(toContent(before))
    const told = await resolveTold(ctx, content.revisionIds, acting.forward())
    const refused = refusedIn(change, toContent(before), content, told)
    if (refused !== undefined) throw change.refusal(refused)
    const openable = await openableOf(ctx, change, before, content, acting)
    const { name, description } = content
    const reservation = {
      id: change.storyId,
      type: NodeType.STORY,
      growthBytes: BigInt(contentBytes(content)),
      texts: { name, ...(description !== null && { description }) },
    }
    const { committed, reserved } = await withUpdateReservation(
      ctx,
      reservation,
      acting,
      (update) => commit(ctx, change, told, openable, update),
    )
    if (committed) return report(ctx, change, committed, reserved, told, acting)
  }
  throw unavailable('other versions of the story were saved meanwhile; try again')
}

function checkVersion({ version }: { version: number }, expected: number | undefined) {
  if (expected !== undefined && expected !== version) throw versionMismatch()
}

/** A revision that the change adds, and that the caller may not add; undefined: there is none. */
function refusedIn(change: Change, before: Content, { revisionIds }: Content, told: Told) {
  const known = new Set(before.revisionIds)
  return revisionIds.find((id) => !known.has(id) && !change.mayAdd(id, told))
}

/** Undefined if a revision that the caller may not view was removed meanwhile: then they may not keep it. */
async function commit(
  ctx: Ctx,
  change: Change,
  told: Told,
  openable: Set<string>,
  reserved: ReserveUpdateResponse,
): Promise<Committed | undefined> {
  const { storyId, author, silent } = change
  const { updatedOn, updateId, workspaceId } = reserved
  if (!updatedOn) throw new Error('catalog returned no time for an update reservation')
  return ctx.transact(async (tx) => {
    const story = await findStoryLocked(tx, storyId)
    if (!story) throw storyNotFound()
    checkVersion(story, change.expectedVersion)
    const before = toContent(story)
    const content = change.apply(before)
    if (refusedIn(change, before, content, told) !== undefined) return undefined
    const { versionsMax, pendingSettleAfterMs: reservedForMs } = ctx.cfg
    const version = { storyId, updateId, savedBy: author, savedOn: toIso(updatedOn) }
    const { isVisible, opened } = openedAfter({
      visible: change.visible,
      wasVisible: story.revisions_visible,
      before: JSON.parse(story.opened) as Opened,
      told: content.revisionIds,
      author,
      // Those that others have told already wait until someone opens all.
      mayOpen: (id) =>
        openable.has(id) && (change.visible === true || !before.revisionIds.includes(id)),
    })
    if (change.visible && Object.keys(opened).length === 0) throw nothingToOpen()
    const opening = { revisionsVisible: isVisible, opened, note: noteOf(change) }
    const limits = { isSilent: silent, versionsMax, reservedForMs }
    const saved = await saveVersion(tx, { ...version, ...opening, ...limits }, content)
    if (!saved) throw reservationTooOld()
    await publishAndEnqueue(ctx, tx, change, saved, workspaceId)
    await change.also?.(tx)
    const after = { ...story, revisions_visible: isVisible, opened: JSON.stringify(opened) }
    return { story: after, content, saved }
  })
}

/** The told revisions that the author may open to readers, if the story shows them. */
async function openableOf(
  { catalog }: Ctx,
  { visible }: Change,
  { revisions_visible }: CurrentStory,
  { revisionIds: ids }: Content,
  acting: Acting,
): Promise<Set<string>> {
  if (!(visible ?? revisions_visible) || ids.length === 0) return new Set()
  const request = { ids, type: NodeType.FIGURE_REVISION, permission: Permission.UPDATE }
  const { nodes } = await catalog.resolveNodes(request, acting.forward())
  return new Set(nodes.map(({ id }) => id))
}

const noteOf = ({ visible }: Change) => {
  if (visible === undefined) return ''
  return visible ? 'revisions opened to readers' : 'revisions closed to readers'
}

async function publishAndEnqueue(
  ctx: Ctx,
  tx: Tx,
  { storyId, author, silent }: Change,
  { version, saved_on }: SavedVersion,
  workspaceId: string,
) {
  const event = { storyId, version, workspaceId, savedBy: author, silent }
  await ctx.publish(tx, storyChanged, { ...event, savedOn: toTimestamp(saved_on) })
  const runAt = new Date(Date.now() + settleDelayMs)
  await ctx.enqueue(tx, settleStory, { storyId }, { key: storyId, workspaceId, runAt })
}

/** Applies the update in catalog, and returns the story. */
async function report(
  ctx: Ctx,
  change: Change,
  { story, content, saved }: Committed,
  { updateId, workspaceId, updatedOn }: ReserveUpdateResponse,
  told: Told,
  acting: Acting,
): Promise<Story> {
  const { storyId, author, silent } = change
  const { version, size_bytes: sizeBytes } = saved
  const note = noteOf(change)
  const application = { updateId, storyId, version, content, sizeBytes, silent, note }
  const node = await orDefer(ctx, storyId, () =>
    applyUpdate(ctx, application, acting.detached(attemptMs)),
  )
  const { created_by: createdBy, created_on: createdOn } = story
  const made = { id: storyId, workspaceId, createdBy, createdOn, sizeBytes, content }
  const assumed = () => assumedNode({ ...made, updated: { by: author, on: updatedOn } })
  const isResolved = content.revisionIds.every((id) => told.has(id))
  const current = isResolved ? told : await resolveTold(ctx, content.revisionIds, acting.forward())
  return toStory({ ...story, version }, content, node ?? assumed(), current)
}

import type { HandlerContext } from '@connectrpc/connect'
import { forward, requireUser } from '@figbase/kit'
import { type Node, NodeType } from '@figbase/proto/catalog'
import { DataType, type DeriveRevisionRequest } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { LinkRow } from '../db/schema.js'
import { parseFinish } from '../domain/finish.js'
import { revisionKind } from '../domain/revision-kind.js'
import { newPrefix, shortIdOf } from '../domain/short-id.js'
import { sourceChanged, tooMuchMetadata } from '../errors.js'
import { type Committed, createdOnOf } from '../publication/commit.js'
import { checkParent, giveBack, reserve } from '../publication/reservation.js'
import { show } from '../publication/show.js'
import { type DataWithKey, listData } from '../queries/data.js'
import { insertDerived } from '../queries/derive.js'
import { getRevision } from '../queries/revisions.js'
import { drawNumber } from '../queries/short-ids.js'
import type { Impl } from '../routes.js'
import { toRevision } from '../wire.js'
import { checkShortId } from './check-short-id.js'
import { visibleLinks } from './links.js'

const type = NodeType.FIGURE_REVISION
const kind = revisionKind(type)

export function deriveRevision(ctx: Ctx): Impl['deriveRevision'] {
  return async (req, call) => {
    const author = requireUser(call)
    const { node: source } = await ctx.catalog.getNode({ id: req.sourceId, type }, forward(call))
    if (!source) throw new Error('catalog answered without a node')
    const parentId = (req.figureId || source.parentId).toLowerCase()
    await checkParent(ctx, kind, parentId, call)
    const { clientId, ...draft } = await parse(ctx, req, source, author)
    const links = await visibleLinks(ctx, source.id, call)
    const id = clientId ?? ctx.newId()
    const place = { id, kind, parentId, sizeBytes: sizeOf(draft.cloned) }
    const { revision, data, parent } = await create(
      ctx,
      { ...draft, ...place, author, source, links },
      call,
    )
    const node = await show(ctx, { revision, data, kind, silent: draft.silent }, call)
    const whole = { ...revision, metadata: draft.metadata }
    const shownLinks = links.map((link) => ({ ...link, figure_revision_id: id }))
    const shown = toRevision(whole, node, data, { links: shownLinks, linksPageToken: '' })
    return { revision: { ...shown, parent } }
  }
}

const sizeOf = (data: { size_bytes: bigint }[]) =>
  data.reduce((sum, { size_bytes: size }) => sum + size, 0n)

/** What the new revision is to be, and what it clones. */
async function parse(ctx: Ctx, req: DeriveRevisionRequest, source: Node, author: string) {
  const { clientId, silent } = req
  const { metadata: itsMetadata, is_clean_room: isCleanRoom } = await getRevision(ctx.db, source.id)
  const cloned = await listData(ctx.db, source.id)
  const metadataJson = req.metadataJson || itsMetadata
  const own = { clientId, metadataJson, isCleanRoom, silent, description: '' }
  const parsed = parseFinish({ ...own, shortId: req.shortId }, ctx.cfg)
  checkMetadataBytes(parsed.metadata, cloned, ctx.cfg.metadataBytesMax)
  await checkShortId(ctx, kind, parsed.shortId, author)
  return { ...parsed, cloned }
}

function checkMetadataBytes(metadata: string, data: DataWithKey[], bytesMax: number) {
  const texts = data.flatMap((one) => [one.metadata, one.name ?? ''])
  const bytes = [metadata, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes > bytesMax) throw tooMuchMetadata(bytesMax)
}

type Derivation = Omit<Awaited<ReturnType<typeof parse>>, 'clientId'> &
  Parameters<typeof reserve>[1] & { author: string; source: Node; links: LinkRow[] }

/** Reserve, then commit; the reservation is given back when nothing was committed. */
async function create(
  ctx: Ctx,
  derivation: Derivation,
  call: HandlerContext,
): Promise<Omit<Committed, 'leftovers'>> {
  const { id, author, cloned, source, silent, links } = derivation
  const shortId = derivation.shortId ?? (await drawShortId(ctx, author))
  const reserved = await reserve(ctx, derivation, call)
  const { workspaceId } = reserved
  const draft = {
    id,
    type: kind.type,
    parent_id: derivation.parentId,
    metadata: derivation.metadata,
    is_clean_room: derivation.isCleanRoom,
    is_processing: cloned.some((one) => one.type === DataType.IMAGE),
    description: null,
    created_by: author,
    created_on: createdOnOf(reserved),
    short_id: shortId,
    derived_from: source.id,
  }
  const clones = cloned.map((one) => ({ id: ctx.newId(), cloned_from: one.id }))
  const job = { payload: { revisionId: id, workspaceId, silent }, workspaceId }
  try {
    call.signal.throwIfAborted()
    const revision = await ctx.write((db) => insertDerived(db, draft, clones, links, job), {
      enqueues: true,
    })
    if (!revision) throw sourceChanged()
    const { created_by, created_on } = revision
    const data = cloned.map((one, index) => ({
      ...one,
      id: clones[index]?.id ?? '',
      revision_id: id,
      processing_error: null,
      created_by,
      created_on,
    }))
    return { revision, data, parent: reserved.parent }
  } catch (error) {
    // If it was committed all the same, its job finds no reservation and removes it again.
    await giveBack(ctx, id, call)
    throw error
  }
}

/** Below the prefix that the server has for this user. A number that is not used in the end is no loss. */
async function drawShortId(ctx: Ctx, username: string) {
  const { prefix, index } = await ctx.write((db) => drawNumber(db, newPrefix(), username))
  return shortIdOf(prefix, index)
}

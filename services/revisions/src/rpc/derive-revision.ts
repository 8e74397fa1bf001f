import type { HandlerContext } from '@connectrpc/connect'
import { forward, requireUser } from '@figbase/kit/rpc'
import { type Node, NodeType, type ReserveResponse } from '@figbase/proto/catalog'
import { DataType, type DeriveRevisionRequest } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { LinkRow } from '../db/schema.js'
import { parseFinish } from '../domain/finish.js'
import { revisionKind } from '../domain/revision-kind.js'
import { newPrefix, shortIdOf } from '../domain/short-id.js'
import { sourceChanged, tooMuchMetadata } from '../errors.js'
import { activateOrDefer } from '../publication/activate-or-defer.js'
import { type Committed, createdOnOf, createdRecord } from '../publication/commit.js'
import {
  checkParent,
  type ReservationRequest,
  withReservation,
} from '../publication/reservation.js'
import { type DataWithKey, listData } from '../queries/data.js'
import { insertDerived } from '../queries/derive.js'
import { getRevision } from '../queries/revisions.js'
import { nextNumber } from '../queries/short-ids.js'
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
    if (!source) throw new Error('catalog returned no node')
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
    const assetRevisionIds = links.map((link) => link.asset_revision_id)
    const { silent } = draft
    const committed = { revision, data, kind, silent, assetRevisionIds }
    const node = await activateOrDefer(ctx, committed, call)
    const whole = { ...revision, metadata: draft.metadata }
    const shownLinks = links.map((link) => ({ ...link, figure_revision_id: id }))
    const result = toRevision(whole, node, data, { links: shownLinks, linksPageToken: '' })
    return { revision: { ...result, parent } }
  }
}

const sizeOf = (data: { size_bytes: bigint }[]) =>
  data.reduce((sum, { size_bytes: size }) => sum + size, 0n)

/** The metadata of the new revision, and the data to clone. */
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
  ReservationRequest & { author: string; source: Node; links: LinkRow[] }

async function create(
  ctx: Ctx,
  derivation: Derivation,
  call: HandlerContext,
): Promise<Omit<Committed, 'leftovers'>> {
  const shortId = derivation.shortId ?? (await nextShortId(ctx, derivation.author))
  return withReservation(ctx, derivation, call, (reserved) =>
    commitDerived(ctx, { ...derivation, shortId }, reserved, call),
  )
}

async function commitDerived(
  ctx: Ctx,
  { id, author, cloned, source, silent, links, ...draft }: Derivation,
  reserved: ReserveResponse,
  call: HandlerContext,
): Promise<Omit<Committed, 'leftovers'>> {
  const { workspaceId, parent } = reserved
  const derived = {
    id,
    type: kind.type,
    parent_id: draft.parentId,
    metadata: draft.metadata,
    is_clean_room: draft.isCleanRoom,
    is_processing: cloned.some((one) => one.type === DataType.IMAGE),
    description: null,
    created_by: author,
    created_on: createdOnOf(reserved),
    short_id: draft.shortId,
    derived_from: source.id,
  }
  const clones = cloned.map((one) => ({ id: ctx.newId(), cloned_from: one.id }))
  const job = { payload: { revisionId: id, workspaceId, silent }, workspaceId }
  const revision = await ctx.writeOnce(
    call,
    (db) => insertDerived(db, derived, clones, links, job),
    createdRecord,
    { enqueues: true },
  )
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
  return { revision, data, parent }
}

/** The server has one prefix for each user. An unused number is no problem. */
async function nextShortId(ctx: Ctx, username: string) {
  const { prefix, index } = await ctx.write((db) => nextNumber(db, newPrefix(), username))
  return shortIdOf(prefix, index)
}

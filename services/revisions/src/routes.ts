import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import type { Ctx } from './context.js'
import { createFigureRevision } from './rpc/create-figure-revision.js'
import { findExisting } from './rpc/find-existing.js'
import { getFigureRevision } from './rpc/get-figure-revision.js'
import { listFigureRevisions } from './rpc/list-figure-revisions.js'
import { listVisibleFigureRevisions } from './rpc/list-visible-figure-revisions.js'
import { readData } from './rpc/read-data.js'
import { readNewestThumbnail } from './rpc/read-newest-thumbnail.js'
import { readThumbnail } from './rpc/read-thumbnail.js'
import { readThumbnails } from './rpc/read-thumbnails.js'
import { reserveShortIdPrefix } from './rpc/reserve-short-id-prefix.js'
import { resolveShortId } from './rpc/resolve-short-id.js'

export type Impl = ServiceImpl<typeof RevisionsService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) =>
  router.service(RevisionsService, {
    createFigureRevision: createFigureRevision(ctx),
    getFigureRevision: getFigureRevision(ctx),
    listFigureRevisions: listFigureRevisions(ctx),
    listVisibleFigureRevisions: listVisibleFigureRevisions(ctx),
    readData: readData(ctx),
    readThumbnail: readThumbnail(ctx),
    readNewestThumbnail: readNewestThumbnail(ctx),
    readThumbnails: readThumbnails(ctx),
    findExisting: findExisting(ctx),
    reserveShortIdPrefix: reserveShortIdPrefix(ctx),
    resolveShortId: resolveShortId(ctx),
  } satisfies Impl)

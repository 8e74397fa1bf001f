import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { once } from '@figbase/kit/keyed'
import { GitService } from '@figbase/proto/git'
import { RevisionsService } from '@figbase/proto/revisions'
import type { Ctx } from './context.js'
import { appendUpload } from './rpc/append-upload.js'
import { beginUpload } from './rpc/begin-upload.js'
import { createRevision } from './rpc/create-revision.js'
import { deriveRevision } from './rpc/derive-revision.js'
import { describeRevision } from './rpc/describe-revision.js'
import { endUpload } from './rpc/end-upload.js'
import { findByHash } from './rpc/find-by-hash.js'
import { findExisting } from './rpc/find-existing.js'
import { getDataStorage } from './rpc/get-data-storage.js'
import { getRevision } from './rpc/get-revision.js'
import { getUpload } from './rpc/get-upload.js'
import { createGitRepository } from './rpc/git/create-git-repository.js'
import { deleteGitRepository } from './rpc/git/delete-git-repository.js'
import { getGitRepository } from './rpc/git/get-git-repository.js'
import { importGitRepository } from './rpc/git/import-git-repository.js'
import { listGitImports } from './rpc/git/list-git-imports.js'
import { listGitRepositories } from './rpc/git/list-git-repositories.js'
import { receiveGitPush } from './rpc/git/receive-git-push.js'
import { rotateGitPushSecret } from './rpc/git/rotate-git-push-secret.js'
import { updateGitRepository } from './rpc/git/update-git-repository.js'
import { listLinks } from './rpc/list-links.js'
import { listRevisions } from './rpc/list-revisions.js'
import { listVisibleRevisions } from './rpc/list-visible-revisions.js'
import { readAssetUses } from './rpc/read-asset-uses.js'
import { readContents } from './rpc/read-contents.js'
import { readData } from './rpc/read-data.js'
import { readNewestThumbnail } from './rpc/read-newest-thumbnail.js'
import { readSummaries } from './rpc/read-summaries.js'
import { readTexts } from './rpc/read-texts.js'
import { readThumbnail } from './rpc/read-thumbnail.js'
import { readThumbnails } from './rpc/read-thumbnails.js'
import { checkStorage, registerStorage } from './rpc/register-storage.js'
import { renderPicture } from './rpc/render-picture.js'
import { reserveShortIdPrefix } from './rpc/reserve-short-id-prefix.js'
import { resolveShortId } from './rpc/resolve-short-id.js'
import { restoreRevision, restoreUpdated } from './rpc/restore-revision.js'
import { unlinkFigure } from './rpc/unlink-figure.js'
import { updateRevision } from './rpc/update-revision.js'

export type Impl = ServiceImpl<typeof RevisionsService>
export type GitImpl = ServiceImpl<typeof GitService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) => {
  router.service(RevisionsService, {
    createRevision: once(ctx, createRevision(ctx), restoreRevision(ctx)),
    updateRevision: once(ctx, updateRevision(ctx), restoreUpdated(ctx)),
    describeRevision: describeRevision(ctx),
    getRevision: getRevision(ctx),
    listRevisions: listRevisions(ctx),
    listVisibleRevisions: listVisibleRevisions(ctx),
    listLinks: listLinks(ctx),
    unlinkFigure: unlinkFigure(ctx),
    readData: readData(ctx),
    getDataStorage: getDataStorage(ctx),
    readThumbnail: readThumbnail(ctx),
    readNewestThumbnail: readNewestThumbnail(ctx),
    readSummaries: readSummaries(ctx),
    readThumbnails: readThumbnails(ctx),
    readTexts: readTexts(ctx),
    readContents: readContents(ctx),
    renderPicture: renderPicture(ctx),
    findExisting: findExisting(ctx),
    readAssetUses: readAssetUses(ctx),
    findByHash: findByHash(ctx),
    deriveRevision: once(ctx, deriveRevision(ctx), restoreRevision(ctx)),
    reserveShortIdPrefix: once(ctx, reserveShortIdPrefix(ctx)),
    resolveShortId: resolveShortId(ctx),
    registerStorage: registerStorage(ctx),
    checkStorage: checkStorage(ctx),
    beginUpload: beginUpload(ctx),
    appendUpload: appendUpload(ctx),
    getUpload: getUpload(ctx),
    endUpload: endUpload(ctx),
  } satisfies Impl)
  router.service(GitService, {
    createGitRepository: createGitRepository(ctx),
    listGitRepositories: listGitRepositories(ctx),
    getGitRepository: getGitRepository(ctx),
    updateGitRepository: updateGitRepository(ctx),
    deleteGitRepository: deleteGitRepository(ctx),
    rotateGitPushSecret: rotateGitPushSecret(ctx),
    importGitRepository: importGitRepository(ctx),
    listGitImports: listGitImports(ctx),
    receiveGitPush: receiveGitPush(ctx),
  } satisfies GitImpl)
}

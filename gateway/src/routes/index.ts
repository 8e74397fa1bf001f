import type { Endpoint } from '../endpoint.js'
import { listAccounts } from './account/list-accounts.js'
import { listStaffActions } from './account/list-staff-actions.js'
import { sessions } from './account/sessions.js'
import { aiUsage } from './ai-usage/routes.js'
import { createApiKey } from './api-key/create-api-key.js'
import { deleteApiKey } from './api-key/delete-api-key.js'
import { getApiKey } from './api-key/get-api-key.js'
import { listApiKeys } from './api-key/list-api-keys.js'
import { findAssetsByName } from './asset/find-by-name.js'
import { batch } from './batch/batch.js'
import { billing } from './billing/routes.js'
import { comments } from './comment/routes.js'
import { compute } from './compute/routes.js'
import { createContainer } from './container/create.js'
import { deleteNode } from './container/delete.js'
import { getContainer } from './container/get.js'
import { containers } from './container/kinds.js'
import { listContainers } from './container/list.js'
import { stillRight } from './container/still-right.js'
import { updateContainer } from './container/update.js'
import { childrenRoute } from './core/children.js'
import { deletedRoutes } from './core/deleted.js'
import { logItemRoute, logRoute } from './core/log.js'
import { resources } from './core/resources.js'
import { restoreNode } from './core/restore.js'
import { sizeRoute } from './core/size.js'
import { thumbnailRoutes } from './core/thumbnail.js'
import { getData } from './data/get-data.js'
import { dataRoutes } from './data/routes.js'
import { beginDeviceLogin } from './device-login/begin-device-login.js'
import { redeemDeviceLogin } from './device-login/redeem-device-login.js'
import { followEvents } from './event/follow-events.js'
import { gitRepositories } from './git/routes.js'
import { insight } from './insight/routes.js'
import { acceptInvitation } from './invitation/accept-invitation.js'
import { createInvitation } from './invitation/create-invitation.js'
import { deleteInvitation } from './invitation/delete-invitation.js'
import { getInvitation } from './invitation/get-invitation.js'
import { listInvitations } from './invitation/list-invitations.js'
import { addMember } from './member/add-member.js'
import { changeMember } from './member/change-member.js'
import { listMembers } from './member/list-members.js'
import { removeMember } from './member/remove-member.js'
import { membershipResources } from './member/resources.js'
import { metadataProxies } from './metadata/metadata-proxies.js'
import { notificationSettings } from './notification/settings.js'
import { confirmPasswordReset } from './password-reset/confirm-password-reset.js'
import { requestPasswordReset } from './password-reset/request-password-reset.js'
import { plans } from './plan/plans.js'
import { promotions } from './plan/promotions.js'
import { storage } from './plan/storage.js'
import { subscriptions } from './plan/subscriptions.js'
import { reactions } from './reaction/routes.js'
import { commentCount } from './revision/comment-count.js'
import { createRevision } from './revision/create-revision.js'
import { deriveRevision } from './revision/derive.js'
import { findByHash } from './revision/find-by-hash.js'
import { generateDescription } from './revision/generate-description.js'
import { getRevision } from './revision/get-revision.js'
import { assignedRevisions, revisionKinds } from './revision/kinds.js'
import { listRevisions } from './revision/list-revisions.js'
import { revisionStatus } from './revision/status.js'
import { checkVersion } from './revision/summary.js'
import { unlinkFigure } from './revision/unlink-figure.js'
import { appendData, updateRevision } from './revision/update-revision.js'
import { search } from './search/search.js'
import { getLinkShare } from './share/get-link-share.js'
import { listUserShares } from './share/list-user-shares.js'
import { setLinkShare } from './share/set-link-share.js'
import { setUserShare } from './share/set-user-share.js'
import { shareables } from './share/shares.js'
import { reserveShortIdPrefix } from './short-id/reserve-prefix.js'
import { bootstrap } from './site/bootstrap.js'
import { info } from './site/info.js'
import { openApiRoute } from './site/openapi.js'
import { getSettings, updateSettings } from './site/settings.js'
import { versionsRoute } from './site/versions.js'
import { sshKeys } from './ssh-key/routes.js'
import { stories } from './story/routes.js'
import { storyWriter } from './story-writer/routes.js'
import { cancelTask } from './task/cancel-task.js'
import { getTask } from './task/get-task.js'
import { listTasks } from './task/list-tasks.js'
import { taskLogs } from './task/task-logs.js'
import { issueToken } from './token/issue-token.js'
import { refreshToken } from './token/refresh-token.js'
import { revokeToken } from './token/revoke-token.js'
import { directUpload } from './upload/direct.js'
import { tusRoutes } from './upload/tus.js'
import { accountState } from './user/account-state.js'
import { contributions } from './user/contributions.js'
import { createUser } from './user/create-user.js'
import { deleteUser } from './user/delete-user.js'
import { exportUser } from './user/export-user.js'
import { getUser } from './user/get-user.js'
import { listUsers } from './user/list-users.js'
import { updateUser } from './user/update-user.js'
import { verifyEmail } from './user/verify-email.js'
import { webhooks } from './webhook/routes.js'
import { dashboard } from './workspace/dashboard.js'
import { overview } from './workspace/overview.js'
import { recent } from './workspace/recent.js'
import { listStaleFigures } from './workspace/stale.js'

/** Paths without methods: data objects are created, listed and shared with their revision. */
export const closedPaths = [
  '/api/:version/data/',
  '/api/:version/data/:id/share/user/',
  '/api/:version/data/:id/share/link/',
]

/** All routes of the API. */
export const endpoints: Endpoint[] = [
  issueToken,
  beginDeviceLogin,
  redeemDeviceLogin,
  refreshToken,
  revokeToken,
  info,
  versionsRoute(() => endpoints),
  bootstrap,
  openApiRoute(() => endpoints),
  createUser,
  listUsers,
  getUser,
  contributions,
  listAccounts,
  listStaffActions,
  ...sessions,
  listApiKeys,
  createApiKey,
  getApiKey,
  deleteApiKey,
  ...containers.flatMap((container) => [
    listContainers(container),
    createContainer(container),
    getContainer(container),
    updateContainer(container, 'PUT'),
    updateContainer(container, 'PATCH'),
    deleteNode(container.segment, container.type),
    restoreNode(container, getContainer(container)),
    ...(container.segment === 'figure' ? [stillRight(getContainer(container))] : []),
  ]),
  ...membershipResources.flatMap((resource) => [
    ...deletedRoutes(resource),
    listMembers(resource),
    addMember(resource),
    changeMember(resource),
    removeMember(resource),
    listInvitations(resource),
    createInvitation(resource),
    getInvitation(resource),
    deleteInvitation(resource),
    acceptInvitation(resource),
  ]),
  ...shareables.flatMap((shareable) => [
    listUserShares(shareable),
    setUserShare(shareable),
    getLinkShare(shareable),
    setLinkShare(shareable),
  ]),
  ...resources.flatMap((resource) => [
    sizeRoute(resource),
    childrenRoute(resource),
    ...thumbnailRoutes(resource),
    logRoute(resource),
    logItemRoute(resource),
  ]),
  overview,
  dashboard,
  recent,
  listStaleFigures,
  findAssetsByName,
  ...revisionKinds.flatMap((kind) => [
    listRevisions(kind),
    createRevision(kind),
    getRevision(kind),
    updateRevision(kind, 'PUT'),
    updateRevision(kind, 'PATCH'),
    revisionStatus(kind),
    deleteNode(kind.segment, kind.type, (input) => checkVersion(input, kind.type)),
    restoreNode(kind, getRevision(kind)),
  ]),
  ...stories,
  appendData,
  unlinkFigure,
  generateDescription,
  commentCount,
  createRevision(assignedRevisions, '/revision/auto-assign/'),
  deriveRevision,
  findByHash,
  reserveShortIdPrefix,
  ...tusRoutes,
  directUpload,
  getData,
  ...dataRoutes,
  listTasks,
  getTask,
  taskLogs,
  cancelTask,
  followEvents,
  ...plans,
  ...subscriptions,
  ...storage,
  ...promotions,
  ...compute,
  updateUser('PUT'),
  updateUser('PATCH'),
  verifyEmail,
  ...accountState,
  deleteUser,
  exportUser,
  requestPasswordReset,
  confirmPasswordReset,
  ...metadataProxies,
  getSettings,
  updateSettings('PUT'),
  updateSettings('PATCH'),
  ...sshKeys,
  ...billing,
  ...webhooks,
  ...gitRepositories,
  ...notificationSettings,
  ...comments,
  ...insight,
  ...aiUsage,
  ...storyWriter,
  search,
  batch,
  ...reactions,
]

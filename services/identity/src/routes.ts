import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { DeviceLoginService } from '@figbase/proto/identity/device-login'
import { KeyedRequestsService } from '@figbase/proto/identity/keyed-requests'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { StaffService } from '@figbase/proto/identity/staff'
import type { Ctx } from './context.js'
import { checkPassword } from './rpc/accounts/check-password.js'
import { deleteUser } from './rpc/accounts/delete-user.js'
import { listAccounts } from './rpc/accounts/list-accounts.js'
import { listCredentials } from './rpc/accounts/list-credentials.js'
import { listRecipients } from './rpc/accounts/list-recipients.js'
import { requestEmailVerification } from './rpc/accounts/request-email-verification.js'
import { requestPasswordReset } from './rpc/accounts/request-password-reset.js'
import { resetPassword } from './rpc/accounts/reset-password.js'
import { endSessions, listSessions } from './rpc/accounts/sessions.js'
import { setUserActive } from './rpc/accounts/set-user-active.js'
import { setUserStaff } from './rpc/accounts/set-user-staff.js'
import { updateUser } from './rpc/accounts/update-user.js'
import { verifyEmail } from './rpc/accounts/verify-email.js'
import { authenticateApiKey } from './rpc/authenticate-api-key.js'
import { createApiKey } from './rpc/create-api-key.js'
import { createUser } from './rpc/create-user.js'
import { deleteApiKey } from './rpc/delete-api-key.js'
import { beginDeviceLogin } from './rpc/device-login/begin-device-login.js'
import { decideDeviceLogin } from './rpc/device-login/decide-device-login.js'
import { getDeviceLogin } from './rpc/device-login/get-device-login.js'
import { redeemDeviceLogin } from './rpc/device-login/redeem-device-login.js'
import { ensureAdministrator } from './rpc/ensure-administrator.js'
import { getApiKey } from './rpc/get-api-key.js'
import { getUser } from './rpc/get-user.js'
import { issueToken } from './rpc/issue-token.js'
import { beginKeyedRequest } from './rpc/keyed-requests/begin-keyed-request.js'
import { finishKeyedRequest } from './rpc/keyed-requests/finish-keyed-request.js'
import { listApiKeys } from './rpc/list-api-keys.js'
import { listDeletedUsers } from './rpc/list-deleted-users.js'
import { listUsers } from './rpc/list-users.js'
import { refreshToken } from './rpc/refresh-token.js'
import { revokeToken } from './rpc/revoke-token.js'
import { searchUsers } from './rpc/search-users.js'
import { authenticateForeignToken } from './rpc/sign-in/authenticate-foreign-token.js'
import { authenticateSession } from './rpc/sign-in/authenticate-session.js'
import { beginSignIn } from './rpc/sign-in/begin-sign-in.js'
import { createSession } from './rpc/sign-in/create-session.js'
import { endSession } from './rpc/sign-in/end-session.js'
import { finishSignIn } from './rpc/sign-in/finish-sign-in.js'
import { getProvider } from './rpc/sign-in/get-provider.js'
import { issueSessionToken } from './rpc/sign-in/issue-session-token.js'
import { createMetadataProxy } from './rpc/site/create-metadata-proxy.js'
import { deleteMetadataProxy } from './rpc/site/delete-metadata-proxy.js'
import { getMetadataProxy } from './rpc/site/get-metadata-proxy.js'
import { getPublicSettings } from './rpc/site/get-public-settings.js'
import { getSettings } from './rpc/site/get-settings.js'
import { postMetadata } from './rpc/site/post-metadata.js'
import { updateSettings } from './rpc/site/update-settings.js'
import { sshKeys } from './rpc/ssh-keys/routes.js'

import { listBackups } from './rpc/staff/list-backups.js'
import { listStaffActions, recordStaffAction } from './rpc/staff/staff-actions.js'

export type Impl = ServiceImpl<typeof IdentityService>
export type AccountsImpl = ServiceImpl<typeof AccountsService>
export type SignInImpl = ServiceImpl<typeof SignInService>
export type DeviceLoginImpl = ServiceImpl<typeof DeviceLoginService>
export type KeyedRequestsImpl = ServiceImpl<typeof KeyedRequestsService>
export type StaffImpl = ServiceImpl<typeof StaffService>
export type SiteImpl = ServiceImpl<typeof SiteService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) => {
  router.service(IdentityService, {
    createUser: createUser(ctx),
    issueToken: issueToken(ctx),
    refreshToken: refreshToken(ctx),
    revokeToken: revokeToken(ctx),
    getUser: getUser(ctx),
    listUsers: listUsers(ctx),
    listDeletedUsers: listDeletedUsers(ctx),
    searchUsers: searchUsers(ctx),
    createApiKey: createApiKey(ctx),
    listApiKeys: listApiKeys(ctx),
    getApiKey: getApiKey(ctx),
    deleteApiKey: deleteApiKey(ctx),
    authenticateApiKey: authenticateApiKey(ctx),
    ensureAdministrator: ensureAdministrator(ctx),
  } satisfies Impl)
  router.service(AccountsService, {
    updateUser: updateUser(ctx),
    requestEmailVerification: requestEmailVerification(ctx),
    verifyEmail: verifyEmail(ctx),
    requestPasswordReset: requestPasswordReset(ctx),
    resetPassword: resetPassword(ctx),
    setUserActive: setUserActive(ctx),
    setUserStaff: setUserStaff(ctx),
    checkPassword: checkPassword(ctx),
    deleteUser: deleteUser(ctx),
    listRecipients: listRecipients(ctx),
    listCredentials: listCredentials(ctx),
    listAccounts: listAccounts(ctx),
    listSessions: listSessions(ctx),
    endSessions: endSessions(ctx),
  } satisfies AccountsImpl)
  router.service(SignInService, {
    getProvider: getProvider(ctx),
    authenticateForeignToken: authenticateForeignToken(ctx),
    beginSignIn: beginSignIn(ctx),
    finishSignIn: finishSignIn(ctx),
    createSession: createSession(ctx),
    authenticateSession: authenticateSession(ctx),
    issueSessionToken: issueSessionToken(ctx),
    endSession: endSession(ctx),
  } satisfies SignInImpl)
  router.service(SiteService, {
    getSettings: getSettings(ctx),
    getPublicSettings: getPublicSettings(ctx),
    updateSettings: updateSettings(ctx),
    createMetadataProxy: createMetadataProxy(ctx),
    getMetadataProxy: getMetadataProxy(ctx),
    postMetadata: postMetadata(ctx),
    deleteMetadataProxy: deleteMetadataProxy(ctx),
  } satisfies SiteImpl)
  router.service(StaffService, {
    listStaffActions: listStaffActions(ctx),
    recordStaffAction: recordStaffAction(ctx),
    listBackups: listBackups(ctx),
  } satisfies StaffImpl)
  router.service(DeviceLoginService, {
    beginDeviceLogin: beginDeviceLogin(ctx),
    getDeviceLogin: getDeviceLogin(ctx),
    decideDeviceLogin: decideDeviceLogin(ctx),
    redeemDeviceLogin: redeemDeviceLogin(ctx),
  } satisfies DeviceLoginImpl)
  router.service(SshKeysService, sshKeys(ctx))
  router.service(KeyedRequestsService, {
    beginKeyedRequest: beginKeyedRequest(ctx),
    finishKeyedRequest: finishKeyedRequest(ctx),
  } satisfies KeyedRequestsImpl)
}

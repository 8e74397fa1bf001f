import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { IdentityService } from '@figbase/proto/identity'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import type { Ctx } from './context.js'
import { authenticateApiKey } from './rpc/authenticate-api-key.js'
import { createApiKey } from './rpc/create-api-key.js'
import { createUser } from './rpc/create-user.js'
import { deleteApiKey } from './rpc/delete-api-key.js'
import { ensureAdministrator } from './rpc/ensure-administrator.js'
import { getApiKey } from './rpc/get-api-key.js'
import { getUser } from './rpc/get-user.js'
import { issueToken } from './rpc/issue-token.js'
import { listApiKeys } from './rpc/list-api-keys.js'
import { refreshToken } from './rpc/refresh-token.js'
import { searchUsers } from './rpc/search-users.js'
import { sshKeys } from './rpc/ssh-keys/routes.js'

export type Impl = ServiceImpl<typeof IdentityService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) => {
  router.service(IdentityService, {
    createUser: createUser(ctx),
    issueToken: issueToken(ctx),
    refreshToken: refreshToken(ctx),
    getUser: getUser(ctx),
    searchUsers: searchUsers(ctx),
    createApiKey: createApiKey(ctx),
    listApiKeys: listApiKeys(ctx),
    getApiKey: getApiKey(ctx),
    deleteApiKey: deleteApiKey(ctx),
    authenticateApiKey: authenticateApiKey(ctx),
    ensureAdministrator: ensureAdministrator(ctx),
  } satisfies Impl)
  router.service(SshKeysService, sshKeys(ctx))
}

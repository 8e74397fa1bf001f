import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { IdentityService } from '@figbase/proto/identity'
import type { Ctx } from './context.js'
import { createUser } from './rpc/create-user.js'
import { ensureAdministrator } from './rpc/ensure-administrator.js'
import { getUser } from './rpc/get-user.js'
import { issueToken } from './rpc/issue-token.js'
import { refreshToken } from './rpc/refresh-token.js'
import { searchUsers } from './rpc/search-users.js'

export type Impl = ServiceImpl<typeof IdentityService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) =>
  router.service(IdentityService, {
    createUser: createUser(ctx),
    issueToken: issueToken(ctx),
    refreshToken: refreshToken(ctx),
    getUser: getUser(ctx),
    searchUsers: searchUsers(ctx),
    ensureAdministrator: ensureAdministrator(ctx),
  } satisfies Impl)

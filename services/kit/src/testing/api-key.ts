import { create } from '@bufbuild/protobuf'
import { ApiKeyAccess, type Principal, UsedApiKeySchema } from '@figbase/proto/common'
import { user } from '../rpc/principal.js'

/** A user with an API key, optionally restricted to a workspace. */
export const userWithKey = (
  username: string,
  workspaceId = '',
  access = ApiKeyAccess.FULL,
): Principal => ({
  ...user(username),
  apiKey: create(UsedApiKeySchema, { id: 'key', workspaceId, access }),
})

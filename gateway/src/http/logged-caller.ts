import type { Principal } from '@figbase/proto/common'
import { accessName } from '../shapes/api-key.js'

/** The caller as logged: of an API key only its id and access, never its token. */
export const loggedCaller = ({ username, apiKey }: Principal) => ({
  username,
  ...(apiKey && { apiKey: apiKey.id, apiKeyAccess: accessName(apiKey.access) }),
})

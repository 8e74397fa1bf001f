import type { Principal } from '@figbase/proto/common'
import { accessWord } from '../shapes/api-key.js'

/** Who called, as the log tells it: of an API key its id and what it was made for, never its token. */
export const loggedCaller = ({ username, apiKey }: Principal) => ({
  username,
  ...(apiKey && { apiKey: apiKey.id, apiKeyAccess: accessWord(apiKey.access) }),
})

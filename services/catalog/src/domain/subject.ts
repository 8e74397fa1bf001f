import type { HandlerContext } from '@connectrpc/connect'
import { onlyWorkspace, principal } from '@figbase/kit'
import type { Principal } from '@figbase/proto/common'

/**
 * Whose roles count. With an API key for one workspace they count in that one alone: whatever is
 * elsewhere, organizations too, is refused as to a stranger.
 */
export type Subject = {
  /** Empty for an anonymous caller. */
  username: string
  onlyIn: string | null
  /** The API key of the call, which may be for less than the roles allow. */
  apiKey: Principal['apiKey']
}

/** The caller. */
export function subjectOf(call: HandlerContext): Subject {
  const { username, apiKey } = principal(call)
  return { username, onlyIn: onlyWorkspace(call), apiKey }
}

/** A user who is asked about, whoever calls. */
export const userNamed = (username: string): Subject => ({
  username,
  onlyIn: null,
  apiKey: undefined,
})

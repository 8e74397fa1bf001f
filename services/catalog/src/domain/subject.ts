import type { HandlerContext } from '@connectrpc/connect'
import { onlyWorkspace, principal } from '@figbase/kit/rpc'
import type { Principal } from '@figbase/proto/common'

/**
 * The user whose roles are checked. With an API key for one workspace, the roles count only in that workspace;
 * everything else, organizations included, is denied.
 */
export type Subject = {
  /** Empty for an anonymous caller. */
  username: string
  onlyWorkspaceId: string | null
  /** The API key of the call, which may allow less than the roles. */
  apiKey: Principal['apiKey']
}

/** The caller. */
export function subjectOf(call: HandlerContext): Subject {
  const { username, apiKey } = principal(call)
  return { username, onlyWorkspaceId: onlyWorkspace(call), apiKey }
}

/** A subject for a user who is not the caller. */
export const subjectFor = (username: string): Subject => ({
  username,
  onlyWorkspaceId: null,
  apiKey: undefined,
})

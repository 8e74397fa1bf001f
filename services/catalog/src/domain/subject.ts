import type { HandlerContext } from '@connectrpc/connect'
import { onlyWorkspace, principal } from '@figbase/kit'

/**
 * Whose roles count. With an API key for one workspace they count in that one alone: whatever is
 * elsewhere, organizations too, is refused as to a stranger.
 */
export type Subject = {
  /** Empty for an anonymous caller. */
  username: string
  onlyIn: string | null
}

/** The caller. */
export const subjectOf = (call: HandlerContext): Subject => ({
  username: principal(call).username,
  onlyIn: onlyWorkspace(call),
})

/** A user who is asked about, whoever calls. */
export const userNamed = (username: string): Subject => ({ username, onlyIn: null })

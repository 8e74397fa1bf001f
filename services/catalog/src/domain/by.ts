import type { HandlerContext } from '@connectrpc/connect'
import { principal, requestId } from '@figbase/kit'
import type { ActorKind } from '../db/schema.js'

/** By whom, and in which request, something is done. */
export type By = { actor: string; actorKind: ActorKind; requestId: string; isSilent: boolean }

/** The caller, or whom the system acts for. Principals do not tell keys from sign-ins yet. */
export function byOf(call: HandlerContext, isSilent: boolean, actor?: string): By {
  const { username, isSystem } = principal(call)
  const actorKind = isSystem ? 'system' : 'user'
  return { actor: actor ?? username, actorKind, requestId: requestId(call), isSilent }
}

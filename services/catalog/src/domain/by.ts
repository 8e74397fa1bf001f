import type { HandlerContext } from '@connectrpc/connect'
import { principal, requestId } from '@figbase/kit'
import type { ActorKind } from '../db/schema.js'

/** By whom, and in which request, something is done. */
export type By = { actor: string; actorKind: ActorKind; requestId: string; isSilent: boolean }

/** The caller, or whom the system acts for. */
export function byOf(call: HandlerContext, isSilent: boolean, actor?: string): By {
  const { username, isSystem, apiKey } = principal(call)
  const actorKind = isSystem ? 'system' : apiKey ? 'api_key' : 'user'
  return { actor: actor ?? username, actorKind, requestId: requestId(call), isSilent }
}

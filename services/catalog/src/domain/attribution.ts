import type { HandlerContext } from '@connectrpc/connect'
import { principal, requestId } from '@figbase/kit/rpc'
import type { ActorKind } from '../db/schema.js'

/** Who does something, and in which request. */
export type Attribution = {
  actor: string
  actorKind: ActorKind
  requestId: string
  isSilent: boolean
}

/** The caller, or the user on whose behalf the system acts. */
export function attributionOf(
  call: HandlerContext,
  isSilent: boolean,
  actor?: string,
): Attribution {
  const { username, isSystem, apiKey } = principal(call)
  const actorKind = isSystem ? 'system' : apiKey ? 'api_key' : 'user'
  return { actor: actor ?? username, actorKind, requestId: requestId(call), isSilent }
}

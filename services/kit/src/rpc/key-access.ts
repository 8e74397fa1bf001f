import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { ApiKeyAccess, api_key_access, type Principal } from '@figbase/proto/common'
import { failure } from '../errors/errors.js'

const { READ, FULL } = ApiKeyAccess

type Caller = Pick<Principal, 'apiKey'>

/** The API key access that a method requires: full, unless its .proto declares less. */
export function accessForMethod(method: DescMethod): ApiKeyAccess {
  if (hasOption(method, api_key_access)) return getOption(method, api_key_access)
  return method.idempotency === Idempotency.NO_SIDE_EFFECTS ? READ : FULL
}

/** Refuses a caller if its API key has insufficient access for the method. */
export function requireMethodAccess(caller: Caller, method: DescMethod): void {
  // Method options are decoded each time, so only do so for limited keys.
  if (isLimited(caller)) requireKeyAccess(caller, accessForMethod(method))
}

/** Whether the caller has this access: true without an API key. */
export const hasKeyAccess = ({ apiKey }: Caller, needed: ApiKeyAccess): boolean =>
  (apiKey?.access || FULL) >= needed

/** Like `requireMethodAccess`, for methods that require different access depending on the request. */
export function requireKeyAccess(caller: Caller, needed: ApiKeyAccess): void {
  if (hasKeyAccess(caller, needed)) return
  const may = caller.apiKey?.access === READ ? 'only read' : 'only read, create and update'
  const better = needed === FULL ? 'full' : 'publish or full'
  throw failure(
    Code.PermissionDenied,
    'insufficient_key_access',
    `this API key may ${may}: use one with access ${better}`,
  )
}

const isLimited = (caller: Caller) => !hasKeyAccess(caller, FULL)

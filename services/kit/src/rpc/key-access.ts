import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { ApiKeyAccess, api_key_access, type Principal } from '@figbase/proto/common'
import { failure } from '../errors.js'

const { READ, FULL } = ApiKeyAccess

type Caller = Pick<Principal, 'apiKey'>

/** What a call of this method takes of an API key: full access, unless its .proto says that less will do. */
export function accessForMethod(method: DescMethod): ApiKeyAccess {
  if (hasOption(method, api_key_access)) return getOption(method, api_key_access)
  return method.idempotency === Idempotency.NO_SIDE_EFFECTS ? READ : FULL
}

/** Refuses a caller whose API key was made for less than the method takes. */
export function requireMethodAccess(caller: Caller, method: DescMethod): void {
  // The options of a method are decoded anew each time: only few calls have to know.
  if (isLimited(caller)) requireKeyAccess(caller, accessForMethod(method))
}

/** As `requireMethodAccess`, where the same method serves more than one need. */
export function requireKeyAccess({ apiKey }: Caller, needed: ApiKeyAccess): void {
  const access = apiKey?.access || FULL
  if (access >= needed) return
  const may = access === READ ? 'only read' : 'only read, create and update'
  const better = needed === FULL ? 'full' : 'publish or full'
  throw failure(
    Code.PermissionDenied,
    'insufficient_key_access',
    `this API key may ${may}: use one with access ${better}`,
  )
}

const isLimited = ({ apiKey }: Caller) => (apiKey?.access || FULL) < FULL

import { invalid } from '@figbase/kit/errors'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { KeyAccess } from '../db/schema.js'

const messages = {
  read: ApiKeyAccess.READ,
  publish: ApiKeyAccess.PUBLISH,
  full: ApiKeyAccess.FULL,
} as const satisfies Record<KeyAccess, ApiKeyAccess>

export const toKeyAccess = (access: KeyAccess): ApiKeyAccess => messages[access]

const words = new Map<ApiKeyAccess, KeyAccess>(
  Object.entries(messages).map(([word, message]) => [message, word as KeyAccess]),
)

/** Full access, unless the request asks for less. */
export function checkedAccess(asked: ApiKeyAccess): KeyAccess {
  const access = asked === ApiKeyAccess.UNSPECIFIED ? 'full' : words.get(asked)
  if (!access) throw invalid('access', `must be one of ${Object.keys(messages).join(', ')}`)
  return access
}

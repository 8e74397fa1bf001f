import { ApiKeyAccess } from '@figbase/proto/common'
import type { ApiKey } from '@figbase/proto/identity'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

/** What may be done with a key, of what its owner may do. */
export const accessMember = z.enum(
  ['read', 'publish', 'full'],
  'must be one of read, publish, full',
)
type Access = z.infer<typeof accessMember>

const accesses: Record<Access, ApiKeyAccess> = {
  read: ApiKeyAccess.READ,
  publish: ApiKeyAccess.PUBLISH,
  full: ApiKeyAccess.FULL,
}

export const toApiKeyAccess = (access: Access): ApiKeyAccess => accesses[access]

/** Full is what a replica of before means that says nothing. */
export const accessWord = (access: ApiKeyAccess): Access =>
  accessMember.options.find((word) => accesses[word] === access) ?? 'full'

export const apiKeySchema = z.object({
  api_id: uuid,
  name: z.string(),
  token: z.string().nullable(),
  created: datetime,
  last_used: datetime.nullable(),
  expiry: datetime.nullable(),
  workspace: uuid.nullable(),
  access: accessMember,
})

/** The secret is known when the key is made, and never again. */
export const apiKeyShape = (key: ApiKey, token: string | null = null) => ({
  api_id: key.id,
  name: key.name,
  token,
  created: isoOrNull(key.createdOn),
  last_used: isoOrNull(key.lastUsedOn),
  expiry: isoOrNull(key.expiresOn),
  workspace: key.workspaceId || null,
  access: accessWord(key.access),
})

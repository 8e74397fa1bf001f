import { ApiKeyAccess } from '@figbase/proto/common'
import type { ApiKey } from '@figbase/proto/identity'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

/** The access of a key; never more than that of its owner. */
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

/** Replicas of older versions do not set the access, which means full. */
export const accessName = (access: ApiKeyAccess): Access =>
  accessMember.options.find((word) => accesses[word] === access) ?? 'full'

export const apiKeySchema = z
  .object({
    api_id: uuid,
    name: z.string(),
    token: z.string().nullable(),
    created: datetime,
    last_used: datetime.nullable(),
    expiry: datetime.nullable(),
    workspace: uuid.nullable(),
    access: accessMember,
  })
  .meta({ id: 'ApiKey', description: 'An API key.' })

/** The token is known only when the key is created. */
export const apiKeyShape = (key: ApiKey, token: string | null = null) => ({
  api_id: key.id,
  name: key.name,
  token,
  created: isoOrNull(key.createdOn),
  last_used: isoOrNull(key.lastUsedOn),
  expiry: isoOrNull(key.expiresOn),
  workspace: key.workspaceId || null,
  access: accessName(key.access),
})

export const apiKeyCreatedSchema = apiKeySchema
  .extend({ token: z.string(), user: z.string() })
  .meta({ id: 'ApiKeyCreated', base: 'ApiKey', description: 'An API key with its token.' })

export const apiKeyCreatedShape = (key: ApiKey, token: string) => ({
  ...apiKeyShape(key, token),
  user: key.owner,
})

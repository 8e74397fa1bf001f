import type { ApiKey } from '@figbase/proto/identity'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

export const apiKeySchema = z.object({
  api_id: uuid,
  name: z.string(),
  token: z.string().nullable(),
  created: datetime,
  last_used: datetime.nullable(),
  expiry: datetime.nullable(),
  workspace: uuid.nullable(),
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
})

import type { SshKey } from '@figbase/proto/identity/ssh-keys'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'

export const sshKeySchema = z
  .object({
    api_id: uuid,
    name: z.string(),
    fingerprint: z.string(),
    is_default: z.boolean(),
    created_on: datetime,
    public_key: z.string(),
  })
  .meta({ id: 'SshKey', description: 'An SSH key, without its private key.' })

export const sshKeyShape = (key: SshKey) => ({
  api_id: key.id,
  name: key.name,
  fingerprint: key.fingerprint,
  is_default: key.isDefault,
  created_on: isoOrNull(key.createdOn),
  public_key: key.publicKey,
})

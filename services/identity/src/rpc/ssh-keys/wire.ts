import { create } from '@bufbuild/protobuf'
import { toTimestamp } from '@figbase/kit/db'
import { type SshKey, SshKeySchema } from '@figbase/proto/identity/ssh-keys'
import type { SshKeyRow } from '../../queries/ssh-keys.js'

export const toSshKey = (row: SshKeyRow): SshKey =>
  create(SshKeySchema, {
    id: row.id,
    name: row.name,
    fingerprint: row.fingerprint,
    publicKey: row.public_key,
    isDefault: row.is_default,
    createdOn: toTimestamp(row.created_on),
  })

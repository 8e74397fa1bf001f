import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import { type ApiKey, ApiKeySchema, type User, UserSchema } from '@figbase/proto/identity'
import { type MetadataProxy, MetadataProxySchema } from '@figbase/proto/identity/site'
import type { UserRow } from './db/schema.js'
import { toKeyAccess } from './domain/key-access.js'
import { mailLanguageOf } from './domain/profile.js'
import type { AccountState } from './queries/account-states.js'
import type { ApiKeyRow } from './queries/api-keys.js'
import type { MetadataProxyRow } from './queries/metadata-proxies.js'

/** Private fields are set only when `reader` is the user. */
export function toUser(row: UserRow, reader: string): User {
  return create(UserSchema, {
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    dateJoined: toTimestamp(row.date_joined),
    avatar: row.avatar ?? '',
    usingAuth0: row.using_auth0,
    ...(row.username === reader && {
      private: {
        email: row.email,
        emailConfirmed: row.email_confirmed,
        isActive: row.is_active,
        isStaff: row.is_staff,
        profileJson: row.profile,
        mailLanguage: mailLanguageOf(row.profile),
      },
    }),
  })
}

export const toAccountState = ({ username, is_active, is_staff }: AccountState) => ({
  username,
  isActive: is_active,
  isStaff: is_staff,
})

export function toApiKey(row: ApiKeyRow): ApiKey {
  return create(ApiKeySchema, {
    id: row.id,
    name: row.name,
    owner: row.owner,
    createdOn: toTimestamp(row.created_on),
    expiresOn: toTimestampOrNone(row.expires_on),
    lastUsedOn: toTimestampOrNone(row.last_used_on),
    workspaceId: row.workspace_id ?? '',
    access: toKeyAccess(row.access),
  })
}

export function toMetadataProxy(row: MetadataProxyRow): MetadataProxy {
  return create(MetadataProxySchema, {
    id: row.id,
    initiator: row.initiator,
    createdOn: toTimestamp(row.created_on),
    expiresOn: toTimestamp(row.expires_on),
    updatedOn: toTimestampOrNone(row.updated_on),
    metadataJson: row.metadata ?? '',
  })
}

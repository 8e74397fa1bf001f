import { create } from '@bufbuild/protobuf'
import { decodeCursor, pageSize, toPage, toTimestamp } from '@figbase/kit/db'
import { requireUnbound } from '@figbase/kit/rpc'
import { GrantSchema, OwnActivitySchema } from '@figbase/proto/catalog/people'
import type { Ctx } from '../../context.js'
import { toRole } from '../../domain/roles.js'
import { typeOf } from '../../domain/types.js'
import {
  listOwnActivity as listEntries,
  listOwnGrants as listGrants,
  listOwnInvitations as listInvitations,
  type OwnEntry,
  type OwnGrant,
} from '../../queries/people.js'
import type { PeopleImpl } from '../../routes.js'
import { toInvitation } from '../../wire.js'

export function listOwnGrants({ db }: Ctx): PeopleImpl['listOwnGrants'] {
  return async ({ pageSize: size, pageToken }, call) => {
    const username = requireUnbound(call)
    const limit = pageSize(size)
    const rows = await listGrants(db, username, limit + 1, decodeCursor(pageToken))
    const page = toPage(rows, limit)
    return { grants: page.rows.map(toGrant), nextPageToken: page.nextPageToken }
  }
}

export function listOwnActivity({ db }: Ctx): PeopleImpl['listOwnActivity'] {
  return async ({ pageSize: size, pageToken }, call) => {
    const username = requireUnbound(call)
    const limit = pageSize(size)
    const rows = await listEntries(db, username, limit + 1, decodeCursor(pageToken))
    const page = toPage(rows, limit)
    return { entries: page.rows.map(toEntry), nextPageToken: page.nextPageToken }
  }
}

export function listOwnInvitations({ db }: Ctx): PeopleImpl['listOwnInvitations'] {
  return async ({ pageSize: size, pageToken }, call) => {
    const username = requireUnbound(call)
    const limit = pageSize(size)
    const rows = await listInvitations(db, username, limit + 1, decodeCursor(pageToken))
    const page = toPage(rows, limit)
    return { invitations: page.rows.map(toInvitation), nextPageToken: page.nextPageToken }
  }
}

const toGrant = (row: OwnGrant) =>
  create(GrantSchema, {
    nodeId: row.node_id,
    type: typeOf(row.type),
    name: row.name ?? '',
    role: toRole(row.role),
    isShare: row.kind === 'share',
    grantedBy: row.granted_by,
    grantedOn: toTimestamp(row.created_on),
  })

const toEntry = (row: OwnEntry) =>
  create(OwnActivitySchema, {
    id: row.id,
    at: toTimestamp(row.created_on),
    action: row.action,
    targetId: row.target_id,
    targetType: typeOf(row.target_type),
    targetName: row.target_name ?? '',
  })

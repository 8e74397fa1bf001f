import { create } from '@bufbuild/protobuf'
import { decodeCursor, pageSize, toPage, toTimestamp } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireStaff } from '@figbase/kit/rpc'
import { type StaffAction, StaffActionKind, StaffActionSchema } from '@figbase/proto/identity/staff'
import { requireAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import {
  insertStaffAction,
  listStaffActions as listRows,
  type StaffActionRow,
} from '../../queries/staff-actions.js'
import type { StaffImpl } from '../../routes.js'

const targetCharsMax = 500

export function listStaffActions({ db }: Ctx): StaffImpl['listStaffActions'] {
  return async (req, call) => {
    await requireAdministrator(db, call)
    const limit = pageSize(req.pageSize)
    const page = toPage(await listRows(db, limit + 1, decodeCursor(req.pageToken)), limit)
    return { actions: page.rows.map(toAction), nextPageToken: page.nextPageToken }
  }
}

const toAction = (row: StaffActionRow): StaffAction =>
  create(StaffActionSchema, {
    id: row.seq.toString(),
    createdOn: toTimestamp(row.created_on),
    createdBy: row.created_by,
    kind: row.kind,
    target: row.target,
  })

export function recordStaffAction(ctx: Ctx): StaffImpl['recordStaffAction'] {
  return async ({ kind, target }, call) => {
    const by = requireStaff(call)
    if (!StaffActionKind[kind] || kind === StaffActionKind.UNSPECIFIED) {
      throw invalid('kind', 'is unknown')
    }
    const action = { by, kind, target: target.slice(0, targetCharsMax) }
    await ctx.write((db) => insertStaffAction(db, action))
    return {}
  }
}

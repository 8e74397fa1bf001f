import { randomInt } from 'node:crypto'
import { decodeCursor, pageSize, toIso, toPage } from '@figbase/kit/db'
import { invalid, notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireStaff } from '@figbase/kit/rpc'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import type { Ctx } from '../../context.js'
import { findPlan } from '../../queries/plans.js'
import {
  deletePromotion as deleteRow,
  insertPromotion,
  listPromotions as listRows,
} from '../../queries/promotions.js'
import type { PlansImpl } from '../../routes.js'
import { recordAction } from './record.js'
import { toPromotion } from './wire.js'

/** Without letters and digits that look alike. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const randomCode = () =>
  Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')

export function createPromotion(ctx: Ctx): PlansImpl['createPromotion'] {
  return async ({ code, planId, expiresOn, usesMax }, call) => {
    const by = requireStaff(call)
    const text = code.trim().toUpperCase() || randomCode()
    if (!/^[A-Z0-9_-]{4,64}$/.test(text)) {
      throw invalid('promotion_code', 'must have 4 to 64 letters, digits, - or _')
    }
    if (usesMax !== undefined && usesMax < 1) throw invalid('uses_max', 'must be at least 1')
    if (!isUuid(planId) || !(await findPlan(ctx.db, planId))) {
      throw invalid('plan', 'does not exist')
    }
    const promotion = {
      code: text,
      plan_id: planId,
      expires_on: expiresOn ? toIso(expiresOn) : null,
      uses_max: usesMax ?? null,
    }
    await recordAction(ctx, call, StaffActionKind.CREATE_PROMOTION, text)
    const row = await ctx.writeOnce(
      call,
      (db) => insertPromotion(db, promotion, by),
      (row) => ({ promotion: toPromotion(row) }),
    )
    return { promotion: toPromotion(row) }
  }
}

export function listPromotions({ db }: Ctx): PlansImpl['listPromotions'] {
  return async (req, call) => {
    requireStaff(call)
    const limit = pageSize(req.pageSize)
    const page = toPage(await listRows(db, limit + 1, decodeCursor(req.pageToken)), limit)
    return { promotions: page.rows.map(toPromotion), nextPageToken: page.nextPageToken }
  }
}

export function deletePromotion(ctx: Ctx): PlansImpl['deletePromotion'] {
  return async ({ code }, call) => {
    requireStaff(call)
    const text = code.trim().toUpperCase()
    await recordAction(ctx, call, StaffActionKind.DELETE_PROMOTION, text)
    const isDeleted = await ctx.write((db) => deleteRow(db, text))
    if (!isDeleted) throw notFound('this promotion')
    return {}
  }
}

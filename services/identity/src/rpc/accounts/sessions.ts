import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUnbound, requireUser } from '@figbase/kit/rpc'
import { type SignedIn, SignedInKind, SignedInSchema } from '@figbase/proto/identity/accounts'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import type { Kysely } from 'kysely'
import { requireAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import type { Database } from '../../db/schema.js'
import { isUsername } from '../../domain/new-user.js'
import { endSignIn, listSignIns, type SignInRow } from '../../queries/sign-ins.js'
import { endSessions as endAll } from '../../queries/spent-tokens.js'
import { insertStaffAction } from '../../queries/staff-actions.js'
import { findLogin } from '../../queries/users.js'
import type { AccountsImpl } from '../../routes.js'

const sessionsMax = 1000

export function listSessions(ctx: Ctx): AccountsImpl['listSessions'] {
  return async ({ username }, call) => {
    await requireSelfOrStaff(ctx, username, call)
    const rows = await listSignIns(ctx.db, username, sessionsMax)
    return { sessions: rows.map(toSignedIn) }
  }
}

export function endSessions(ctx: Ctx): AccountsImpl['endSessions'] {
  return async ({ username, id }, call) => {
    await requireSelfOrStaff(ctx, username, call)
    if (id !== undefined && !isUuid(id)) throw notFound('this session')
    const end = async (db: Kysely<Database>) => {
      if (id === undefined) await endAll(db, username)
      else if (!(await endSignIn(db, username, id))) throw notFound('this session')
    }
    const by = requireUser(call)
    if (by === username) await ctx.write(end)
    else {
      await ctx.transact(async (tx) => {
        await end(tx)
        await insertStaffAction(tx, { by, kind: StaffActionKind.END_SESSIONS, target: username })
      })
    }
    return {}
  }
}

async function requireSelfOrStaff(ctx: Ctx, username: string, call: HandlerContext) {
  if (requireUnbound(call) === username) return
  await requireAdministrator(ctx.db, call)
  if (!isUsername(username) || !(await findLogin(ctx.db, username))) throw notFound('this user')
}

const kinds = { token: SignedInKind.TOKEN, browser: SignedInKind.BROWSER }

const toSignedIn = (row: SignInRow): SignedIn =>
  create(SignedInSchema, {
    id: row.id,
    kind: kinds[row.kind],
    userAgent: row.user_agent,
    address: row.address,
    createdOn: toTimestamp(row.created_on),
    lastUsedOn: toTimestamp(row.last_used_on),
    expiresOn: toTimestamp(row.expires_on),
  })

import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUnbound } from '@figbase/kit/rpc'
import { type SignedIn, SignedInKind, SignedInSchema } from '@figbase/proto/identity/accounts'
import { requireAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import { isUsername } from '../../domain/new-user.js'
import { endSignIn, listSignIns, type SignInRow } from '../../queries/sign-ins.js'
import { endSessions as endAll } from '../../queries/spent-tokens.js'
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
    if (id === undefined) {
      await ctx.write((db) => endAll(db, username))
      return {}
    }
    const isEnded = isUuid(id) && (await ctx.write((db) => endSignIn(db, username, id)))
    if (!isEnded) throw notFound('this session')
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

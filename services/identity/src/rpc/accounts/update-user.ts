import type { Executor } from '@figbase/kit/db'
import { notFound, validateAll } from '@figbase/kit/errors'
import { requireSignIn, requireUnbound } from '@figbase/kit/rpc'
import type { UpdateUserRequest } from '@figbase/proto/identity/accounts'
import { deletePasswordFile } from '../../admin-password-file.js'
import { encodeAvatar } from '../../avatar.js'
import type { Ctx } from '../../context.js'
import type { UserRow } from '../../db/schema.js'
import { emailProblem, nameProblem, requireValid } from '../../domain/new-user.js'
import { hashPassword, passwordProblem } from '../../domain/password.js'
import { changedProfile } from '../../domain/profile.js'
import { notYourAccount } from '../../errors.js'
import { countMailTo } from '../../mail-limits.js'
import { mailAddressChanged, mailPasswordChanged, mailVerification } from '../../mails.js'
import {
  type LockedUser,
  lockUser,
  updateUser as updateRow,
} from '../../queries/account-changes.js'
import { endMailTokens } from '../../queries/mail-tokens.js'
import { findUser } from '../../queries/users.js'
import type { AccountsImpl } from '../../routes.js'
import { toUser } from '../../wire.js'

export function updateUser(ctx: Ctx): AccountsImpl['updateUser'] {
  return async (req, call) => {
    const username = requireUnbound(call)
    if (req.username !== username) throw notYourAccount()
    const known = await findUser(ctx.db, username)
    if (!known) throw notFound('this user')
    const { password, profileJson } = req
    const texts = changedTextFields(req, known)
    if (texts.email !== undefined || password !== undefined) requireSignIn(call)
    check(texts, password, known)
    const avatar = await newAvatar(ctx, req, known)
    const passwordHash =
      password === undefined ? undefined : await ctx.hashing(() => hashPassword(password))

    const mayMail = texts.email !== undefined && (await countMailTo(ctx.limits, texts.email))

    const row = await ctx.transact(async (tx) => {
      const before = await lockUser(tx, username)
      if (!before) throw notFound('this user')
      const profile =
        profileJson === undefined
          ? undefined
          : changedProfile(before.profile, profileJson, ctx.cfg.userProfileBytesMax)
      const after = await updateRow(tx, username, { ...texts, profile, avatar, passwordHash })
      await notifyChanges(ctx, tx, before, after, mayMail)
      return after
    })
    if (passwordHash !== undefined) await deletePasswordFile(ctx, username)
    return { user: toUser(row, username) }
  }
}

type TextFields = { email?: string; firstName?: string; lastName?: string }

/** Clients send all fields back: unchanged values are accepted even if they would not be valid now. */
function changedTextFields(
  { email, firstName, lastName }: UpdateUserRequest,
  known: UserRow,
): TextFields {
  return {
    ...(email !== undefined && email !== known.email && { email }),
    ...(firstName !== undefined && firstName !== known.first_name && { firstName }),
    ...(lastName !== undefined && lastName !== known.last_name && { lastName }),
  }
}

function check(
  { email, firstName, lastName }: TextFields,
  password: string | undefined,
  known: UserRow,
) {
  validateAll({
    email: () => email !== undefined && requireValid('email', emailProblem(email)),
    firstName: () => firstName !== undefined && requireValid('first_name', nameProblem(firstName)),
    lastName: () => lastName !== undefined && requireValid('last_name', nameProblem(lastName)),
    password: () =>
      password !== undefined &&
      requireValid('password', passwordProblem(password, known.username, email ?? known.email)),
  })
}

/** Sends the mails about changes, and revokes the links mailed before. */
async function notifyChanges(
  ctx: Ctx,
  tx: Executor,
  before: LockedUser,
  after: UserRow,
  mayMail: boolean,
) {
  const { username } = after
  if (after.email !== before.email) {
    await endMailTokens(tx, username, ['verify_email', 'reset_password'])
    if (!after.email_confirmed) {
      await mailAddressChanged(ctx, tx, before)
      if (mayMail) await mailVerification(ctx, tx, after)
    }
  }
  if (after.token_generation !== before.token_generation) {
    await endMailTokens(tx, username, ['reset_password'])
    await mailPasswordChanged(ctx, tx, after)
  }
}

/** Undefined when unchanged; null when removed. */
async function newAvatar(ctx: Ctx, { avatar }: UpdateUserRequest, known: UserRow) {
  if (avatar === undefined) return undefined
  if (avatar.length === 0) return null
  const png = Buffer.from(avatar)
  if (png.toString('base64') === known.avatar) return undefined
  return ctx.resizing(() => encodeAvatar(png, ctx.cfg.avatarBytesMax))
}

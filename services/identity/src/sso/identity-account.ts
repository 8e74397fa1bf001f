import { randomInt } from 'node:crypto'
import { ConcurrentChange, constraintOf } from '@figbase/kit/db'
import { tokenNotValid } from '@figbase/kit/keys'
import type { Transaction } from 'kysely'
import type { Ctx } from '../context.js'
import { createAccount, toNewUser } from '../create-account.js'
import type { Database } from '../db/schema.js'
import { signUpDisabled } from '../errors.js'
import { ensurePrimaryWorkspaceNow } from '../jobs/ensure-primary-workspace.js'
import { mailVerification } from '../mails.js'
import { findConfirmedAccount } from '../queries/addresses.js'
import {
  findLinked,
  linkIdentity,
  listTakenUsernames,
  lockIdentity,
} from '../queries/external-identities.js'
import { findLogin, type Login } from '../queries/users.js'
import { isSignUpEnabled } from '../site-settings.js'
import type { ExternalIdentity } from './access-token.js'
import { type Profile, profileOf } from './profile.js'

type Tx = Transaction<Database>

/**
 * The active account linked to an external identity; `claims` is called only at the first sign-in. Then the identity is
 * linked to the account that has confirmed the verified address of the provider, or to a new account.
 */
export async function accountOfIdentity(
  ctx: Ctx,
  identity: ExternalIdentity,
  claims: () => Promise<Record<string, unknown>>,
  mailLanguage = '',
): Promise<Login> {
  const username =
    (await findLinked(ctx.db, identity)) ??
    (await linkOrCreateAccount(ctx, identity, await claims(), mailLanguage))
  const user = await findLogin(ctx.db, username)
  if (!user?.is_active) throw tokenNotValid()
  return user
}

async function linkOrCreateAccount(
  ctx: Ctx,
  identity: ExternalIdentity,
  claims: Record<string, unknown>,
  mailLanguage: string,
) {
  const profile = profileOf(claims)
  const mayBeNew = await isSignUpEnabled(ctx)
  const { username, isNew } = await ctx.transact(async (tx) => {
    await lockIdentity(tx, identity)
    const linked = await findLinked(tx, identity)
    if (linked) return { username: linked, isNew: false }
    const owner = profile.isVerified ? await findConfirmedAccount(tx, profile.email) : undefined
    if (!owner && !mayBeNew) throw signUpDisabled()
    const found = owner
      ? { username: owner.username, isNew: false }
      : { username: await newAccount(ctx, tx, profile, mailLanguage), isNew: true }
    await linkIdentity(tx, identity, found.username)
    return found
  })
  if (isNew) await ensurePrimaryWorkspaceNow(ctx, username)
  return username
}

async function newAccount(ctx: Ctx, tx: Tx, profile: Profile, mailLanguage: string) {
  const username = await freeUsername(tx, profile.preferredUsername)
  const user = toNewUser({ ...profile, username }, null, mailLanguage)
  try {
    const row = await createAccount(ctx, tx, { ...user, email_confirmed: profile.isVerified })
    if (row.email && !row.email_confirmed) await mailVerification(ctx, tx, row)
  } catch (error) {
    // A concurrent sign-up took the username or the address: retry.
    throw constraintOf(error)?.startsWith('account_') ? new ConcurrentChange() : error
  }
  return username
}

async function freeUsername(tx: Tx, preferredUsername: string) {
  const numbers = Array.from({ length: 8 }, (_, i) => `${preferredUsername}${i + 2}`)
  const candidates = [preferredUsername, ...numbers, `${preferredUsername}-${randomInt(1e9, 1e10)}`]
  const lowerCase = (username: string) => username.toLowerCase()
  const taken = await listTakenUsernames(tx, candidates.map(lowerCase))
  const free = candidates.find((candidate) => !taken.has(lowerCase(candidate)))
  if (!free) throw new ConcurrentChange(`no free username like ${preferredUsername}`)
  return free
}

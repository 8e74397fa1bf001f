import { randomInt } from 'node:crypto'
import { ConcurrentChange, constraintOf, tokenNotValid } from '@figbase/kit'
import type { Transaction } from 'kysely'
import type { Ctx } from '../context.js'
import { createAccount, toNewUser } from '../create-account.js'
import type { Database } from '../db/schema.js'
import { signUpDisabled } from '../errors.js'
import { ensurePrimaryWorkspaceNow } from '../jobs/ensure-primary-workspace.js'
import { mailVerification } from '../mails.js'
import { findHolder } from '../queries/addresses.js'
import {
  findLinked,
  linkIdentity,
  lockIdentity,
  takenUsernames,
} from '../queries/external-identities.js'
import { findLogin, type Login } from '../queries/users.js'
import { isSignUpEnabled } from '../site-settings.js'
import type { ForeignIdentity } from './access-token.js'
import { type Profile, profileOf } from './profile.js'

type Tx = Transaction<Database>

/**
 * The active account of somebody whom the provider knows; `claims` are asked for at first sight only. Then it
 * is the account that holds the address which the provider has verified, or else a new one.
 */
export async function accountOf(
  ctx: Ctx,
  identity: ForeignIdentity,
  claims: () => Promise<Record<string, unknown>>,
): Promise<Login> {
  const username =
    (await findLinked(ctx.db, identity)) ?? (await firstSight(ctx, identity, await claims()))
  const user = await findLogin(ctx.db, username)
  if (!user?.is_active) throw tokenNotValid()
  return user
}

async function firstSight(ctx: Ctx, identity: ForeignIdentity, claims: Record<string, unknown>) {
  const profile = profileOf(claims)
  const mayBeNew = await isSignUpEnabled(ctx)
  const { username, isNew } = await ctx.transact(async (tx) => {
    await lockIdentity(tx, identity)
    const linked = await findLinked(tx, identity)
    if (linked) return { username: linked, isNew: false }
    const holder = profile.isVerified ? await findHolder(tx, profile.email) : undefined
    if (!holder && !mayBeNew) throw signUpDisabled()
    const found = holder
      ? { username: holder.username, isNew: false }
      : { username: await newAccount(ctx, tx, profile), isNew: true }
    await linkIdentity(tx, identity, found.username)
    return found
  })
  if (isNew) await ensurePrimaryWorkspaceNow(ctx, username)
  return username
}

async function newAccount(ctx: Ctx, tx: Tx, profile: Profile) {
  const username = await freeUsername(tx, profile.wish)
  const user = toNewUser({ ...profile, username }, null)
  try {
    const row = await createAccount(ctx, tx, { ...user, email_confirmed: profile.isVerified })
    if (row.email && !row.email_confirmed) await mailVerification(ctx, tx, row)
  } catch (error) {
    // Somebody was faster with the username or the address: look again.
    throw constraintOf(error)?.startsWith('account_') ? new ConcurrentChange() : error
  }
  return username
}

async function freeUsername(tx: Tx, wish: string) {
  const numbers = Array.from({ length: 8 }, (_, i) => `${wish}${i + 2}`)
  const candidates = [wish, ...numbers, `${wish}-${randomInt(1e9, 1e10)}`]
  const small = (username: string) => username.toLowerCase()
  const taken = await takenUsernames(tx, candidates.map(small))
  const free = candidates.find((candidate) => !taken.has(small(candidate)))
  if (!free) throw new ConcurrentChange(`no username like ${wish} was free`)
  return free
}

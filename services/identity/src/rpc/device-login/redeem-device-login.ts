import type { Transaction } from 'kysely'
import type { Ctx } from '../../context.js'
import type { Database } from '../../db/schema.js'
import { newToken } from '../../domain/api-key-token.js'
import { hashOf } from '../../domain/random-token.js'
import {
  deviceLoginExpired,
  deviceLoginPending,
  deviceLoginRefused,
  deviceLoginTooFast,
  tooManyApiKeys,
} from '../../errors.js'
import { findFreeName, insertApiKey, lockAndCountKeys } from '../../queries/api-keys.js'
import {
  deleteDeviceLogin,
  type PolledDeviceLogin,
  pollDeviceLogin,
} from '../../queries/device-logins.js'
import { findLogin } from '../../queries/users.js'
import type { DeviceLoginImpl } from '../../routes.js'
import { toApiKey } from '../../wire.js'

/** The key is created here and not by the decision, so that no secret is stored until the program asks for it. */
export function redeemDeviceLogin(ctx: Ctx): DeviceLoginImpl['redeemDeviceLogin'] {
  return async ({ deviceCode }) => {
    const hash = hashOf(deviceCode)
    const token = newToken()
    const outcome = await ctx.transact(async (tx) => {
      const login = await pollDeviceLogin(tx, hash, ctx.cfg.deviceLogin.intervalMs / 2)
      if (!login) return deviceLoginExpired()
      if (login.is_allowed === null) {
        return login.is_early ? deviceLoginTooFast() : deviceLoginPending()
      }
      await deleteDeviceLogin(tx, hash)
      if (!login.is_allowed) return deviceLoginRefused()
      return (await createKey(ctx, tx, login, token)) ?? deviceLoginExpired()
    })
    // Returned and not thrown above: the poll and the deletion are kept.
    if (outcome instanceof Error) throw outcome
    return { key: toApiKey(outcome), token }
  }
}

/** Undefined when the user has ended all sign-ins since they allowed the login, for example by a new password. */
async function createKey(
  { cfg: { apiKeysMax }, newId }: Ctx,
  tx: Transaction<Database>,
  { name, access, username, token_generation }: PolledDeviceLogin,
  token: string,
) {
  if (username === null) return undefined
  if ((await lockAndCountKeys(tx, username)) >= apiKeysMax) throw tooManyApiKeys(apiKeysMax)
  const user = await findLogin(tx, username)
  if (user?.token_generation !== token_generation) return undefined
  return insertApiKey(tx, {
    id: newId(),
    owner: username,
    name: await findFreeName(tx, username, name, apiKeysMax),
    tokenHash: hashOf(token),
    workspaceId: null,
    access,
    expiresOn: null,
  })
}

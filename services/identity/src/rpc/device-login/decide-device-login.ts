import type { Ctx } from '../../context.js'
import { hashOfUserCode } from '../../domain/user-code.js'
import { decideDeviceLogin as decideRow } from '../../queries/device-logins.js'
import type { DeviceLoginImpl } from '../../routes.js'
import { limitUserCodes } from './limit-user-codes.js'

export function decideDeviceLogin(ctx: Ctx): DeviceLoginImpl['decideDeviceLogin'] {
  return async ({ userCode, allow: isAllowed }, call) => {
    const userCodeHash = hashOfUserCode(userCode)
    await limitUserCodes(ctx, call, async (username) => {
      const isDecided = await ctx.write((db) =>
        decideRow(db, { userCodeHash, username, isAllowed }),
      )
      return isDecided || undefined
    })
    return {}
  }
}

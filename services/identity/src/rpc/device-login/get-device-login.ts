import { toTimestamp } from '@figbase/kit/db'
import type { Ctx } from '../../context.js'
import { toKeyAccess } from '../../domain/key-access.js'
import { hashOfUserCode } from '../../domain/user-code.js'
import { findOpenDeviceLogin } from '../../queries/device-logins.js'
import type { DeviceLoginImpl } from '../../routes.js'
import { limitUserCodes } from './limit-user-codes.js'

export function getDeviceLogin(ctx: Ctx): DeviceLoginImpl['getDeviceLogin'] {
  return async ({ userCode }, call) => {
    const hash = hashOfUserCode(userCode)
    const login = await limitUserCodes(ctx, call, () => findOpenDeviceLogin(ctx.db, hash))
    return {
      name: login.name,
      access: toKeyAccess(login.access),
      userAgent: login.user_agent,
      address: login.address,
      createdOn: toTimestamp(login.created_on),
    }
  }
}

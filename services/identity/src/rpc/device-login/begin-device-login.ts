import { validateAll } from '@figbase/kit/errors'
import { callerAddress } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { Ctx } from '../../context.js'
import { checkedAccess } from '../../domain/key-access.js'
import { hashOf, newToken } from '../../domain/random-token.js'
import { cleanUserAgent } from '../../domain/user-agent.js'
import { hashOfUserCode, newUserCode } from '../../domain/user-code.js'
import { tooManyDeviceLogins } from '../../limits.js'
import { insertDeviceLogin } from '../../queries/device-logins.js'
import type { DeviceLoginImpl } from '../../routes.js'

/** The name of the key may get a number. */
const nameCharsMax = 100

export function beginDeviceLogin(ctx: Ctx): DeviceLoginImpl['beginDeviceLogin'] {
  return async (req, call) => {
    const composed = req.name.normalize('NFC')
    const { name, access } = validateAll({
      name: () => checkedText('name', composed, { charsMin: 1, charsMax: nameCharsMax }),
      access: () => checkedAccess(req.access),
    })
    const address = callerAddress(call)
    const begun = await ctx.limits.deviceLoginsOfAddress.count(address)
    if (begun.isExceeded) throw tooManyDeviceLogins(begun)
    const { lifeMs, intervalMs } = ctx.cfg.deviceLogin
    const deviceCode = newToken()
    const userCode = newUserCode()
    await ctx.write((db) =>
      insertDeviceLogin(db, {
        deviceCodeHash: hashOf(deviceCode),
        userCodeHash: hashOfUserCode(userCode),
        name,
        access,
        userAgent: cleanUserAgent(req.userAgent),
        address,
        lifeMs,
      }),
    )
    return {
      deviceCode,
      userCode,
      lifeSeconds: Math.floor(lifeMs / 1000),
      intervalSeconds: Math.ceil(intervalMs / 1000),
    }
  }
}

import { principal } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Impl } from '../routes.js'
import { openData } from './open-data.js'

/** MANAGE on what is in a workspace has who has it on the workspace. */
export function getDataStorage(ctx: Ctx): Impl['getDataStorage'] {
  return async ({ id }, call) => {
    const { hash, key } = await openData(ctx, id, Permission.MANAGE, call)
    const vendor = ctx.cfg.defaultVendor
    return { vendor, hash, ...(principal(call).isStaff && { path: key }) }
  }
}

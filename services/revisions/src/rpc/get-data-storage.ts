import { principal } from '@figbase/kit/rpc'
import { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { defaultStorage } from '../domain/default-storage.js'
import { findStorage } from '../queries/storages.js'
import type { Impl } from '../routes.js'
import { folderOf } from '../stores/custom-stores.js'
import { openData } from './open-data.js'

/** A user has MANAGE on a revision if they have it on the workspace. */
export function getDataStorage(ctx: Ctx): Impl['getDataStorage'] {
  return async ({ id }, call) => {
    const { hash, storage: storageId, key } = await openData(ctx, id, Permission.MANAGE, call)
    if (storageId === defaultStorage) {
      return { vendor: ctx.cfg.defaultVendor, hash, ...(principal(call).isStaff && { path: key }) }
    }
    const storage = await findStorage(ctx.db, storageId)
    if (!storage) throw new Error(`unknown storage ${storageId}`)
    const { vendor, bucket } = storage
    const path = `s3://${bucket}/${folderOf(storage)}/${key}`
    return { vendor: vendor.toUpperCase(), hash, path }
  }
}

import { invalid } from '@figbase/kit/errors'
import { StorageUnavailable } from '@figbase/kit/objects'
import type { CheckStorageRequest, RegisterStorageRequest } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import { parseStorage, type StorageParams } from '../domain/storage-params.js'
import { storageRefused } from '../errors.js'
import { findStorageAt, type StorageLocation, saveStorage } from '../queries/storages.js'
import type { Impl } from '../routes.js'

export function registerStorage(ctx: Ctx): Impl['registerStorage'] {
  return async (req) => {
    const { place, storage, paramsJson } = await checkedStorage(ctx, req)
    const { vendor, region, accessKey, secretKey } = storage
    const row = {
      id: ctx.newId(),
      ...place,
      region,
      access_key: accessKey,
      secret_sealed: ctx.customStores.sealed(secretKey, place),
    }
    const storageId = await ctx.write((db) => saveStorage(db, row))
    return { storageId, vendor, paramsJson }
  }
}

export function checkStorage(ctx: Ctx): Impl['checkStorage'] {
  return async (req) => {
    const { storage, paramsJson } = await checkedStorage(ctx, req)
    return { vendor: storage.vendor, paramsJson }
  }
}

/** The storage as it will be saved, after a write and a read there succeeded. */
async function checkedStorage(ctx: Ctx, req: RegisterStorageRequest | CheckStorageRequest) {
  const { defaultVendor, custom } = ctx.cfg
  const vendors = [defaultVendor, ...(custom.aws.accessKey ? ['aws'] : []), 's3']
  const sent = parseStorage(req.vendor, req.paramsJson, vendors)
  const { vendor, endpoint, bucket, prefix } = sent
  const place: StorageLocation = { holder_id: req.holderId, vendor, endpoint, bucket, prefix }
  const storage = vendor === 'aws' ? sent : await withKeys(ctx, sent, place)
  if (vendor === 'aws' && !custom.aws.accessKey) {
    throw invalid('vendor', 'AWS is not configured on this installation')
  }
  if (ctx.customStores.isOwn(storage)) {
    throw invalid('params.bucket', 'must not be the bucket of this installation')
  }
  try {
    await ctx.customStores.check(storage, ctx.cfg.storageCheckTimeoutMs)
  } catch (err) {
    if (!(err instanceof StorageUnavailable)) throw err
    ctx.log.info({ err, vendor, bucket }, 'storage check failed')
    throw storageRefused(vendor, err)
  }
  const access = vendor === 'aws' ? {} : { access_key: storage.accessKey }
  return { place, storage, paramsJson: JSON.stringify({ ...sent.publicParams, ...access }) }
}

/** Keys that are left out are taken from the stored storage. */
async function withKeys(
  ctx: Ctx,
  sent: StorageParams,
  place: StorageLocation,
): Promise<StorageParams> {
  if (sent.secretKey) return sent
  const known = await findStorageAt(ctx.db, place)
  if (known && ['', known.access_key].includes(sent.accessKey)) {
    const secretKey = ctx.customStores.unsealed(known)
    return { ...sent, accessKey: known.access_key, secretKey }
  }
  throw invalid(sent.accessKey ? 'params.secret_key' : 'params.access_key', 'is required')
}

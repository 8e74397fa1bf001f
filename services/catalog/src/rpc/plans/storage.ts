import { invalid } from '@figbase/kit/errors'
import { forward, requireUser } from '@figbase/kit/rpc'
import type { NodeType } from '@figbase/proto/catalog'
import type { StorageSettings } from '@figbase/proto/catalog/plans'
import type { Ctx } from '../../context.js'
import { type Subject, subjectOf } from '../../domain/subject.js'
import { managedByOrganization, planLimit } from '../../errors.js'
import { allowsOwnStorage } from '../../queries/organizations.js'
import { deleteStorage, findStorage, saveStorage } from '../../queries/storages.js'
import { getSubscriptionRow } from '../../queries/subscriptions.js'
import type { PlansImpl } from '../../routes.js'
import {
  authorizeContainer,
  type ContainerAccess,
  withManagedContainer,
} from '../authorize-container.js'

export function getStorage(ctx: Ctx): PlansImpl['getStorage'] {
  return async (req, call) => {
    const { id } = await authorizeContainer(
      ctx.db,
      { id: req.nodeId, type: req.type },
      subjectOf(call),
    )
    const row = await findStorage(ctx.db, id)
    const settings = row ? { vendor: row.vendor, paramsJson: row.params } : defaultOf(ctx)
    return { settings, defaultVendor: ctx.cfg.defaultVendor }
  }
}

export function changeStorage(ctx: Ctx): PlansImpl['changeStorage'] {
  return async (req, call) => {
    const by = requireUser(call)
    const subject = subjectOf(call)
    const { holder, chosen } = await authorizeStorageChange(ctx, req, subject)
    const { id: nodeId } = holder
    if (!chosen) {
      await withManagedContainer(ctx, holder, subject, (tx) => deleteStorage(tx, nodeId))
      return { settings: defaultOf(ctx) }
    }
    const request = { holderId: nodeId, ...chosen }
    const registered = await ctx.revisions.registerStorage(request, forward(call))
    const { storageId, vendor, paramsJson } = registered
    const storage = { nodeId, storageId, vendor, params: paramsJson }
    await withManagedContainer(ctx, holder, subject, (tx) => saveStorage(tx, storage, by))
    return { settings: { vendor, paramsJson } }
  }
}

export function checkStorage(ctx: Ctx): PlansImpl['checkStorage'] {
  return async (req, call) => {
    const { holder, chosen } = await authorizeStorageChange(ctx, req, subjectOf(call))
    if (!chosen) return { settings: defaultOf(ctx) }
    const request = { holderId: holder.id, ...chosen }
    const { vendor, paramsJson } = await ctx.revisions.checkStorage(request, forward(call))
    return { settings: { vendor, paramsJson } }
  }
}

const defaultOf = ({ cfg }: Ctx) => ({ vendor: cfg.defaultVendor, paramsJson: '' })

type Change = { nodeId: string; type: NodeType; settings?: StorageSettings }
type AuthorizedChange = { holder: ContainerAccess; chosen?: { vendor: string; paramsJson: string } }

/** Throws when the caller or the plan does not allow the settings. `chosen` is undefined for the default storage. */
async function authorizeStorageChange(
  ctx: Ctx,
  { nodeId, type, settings }: Change,
  subject: Subject,
): Promise<AuthorizedChange> {
  const holder = await authorizeContainer(ctx.db, { id: nodeId, type }, subject)
  const { organization_id: organization } = holder
  if (organization && !(await allowsOwnStorage(ctx.db, organization))) {
    throw managedByOrganization()
  }
  if (!settings?.vendor) throw invalid('vendor', 'is required')
  const { vendor, paramsJson } = settings
  if (vendor === ctx.cfg.defaultVendor) return { holder }
  const { allow_flexible_storage } = await getSubscriptionRow(ctx.db, holder.id)
  if (!allow_flexible_storage) {
    throw planLimit('allow_flexible_storage', 'the plan does not allow custom storage')
  }
  return { holder, chosen: { vendor, paramsJson } }
}

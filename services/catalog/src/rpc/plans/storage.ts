import { invalid } from '@figbase/kit'
import type { NodeType } from '@figbase/proto/catalog'
import type { StorageSettings } from '@figbase/proto/catalog/plans'
import type { Ctx } from '../../context.js'
import { type Subject, subjectOf } from '../../domain/subject.js'
import { managedByOrganization, planLimit } from '../../errors.js'
import { allowsOwnStorage } from '../../queries/organizations.js'
import { findSubscription } from '../../queries/subscriptions.js'
import type { PlansImpl } from '../../routes.js'
import { openContainer } from '../open-container.js'

type Change = { nodeId: string; type: NodeType; settings?: StorageSettings }

export function getStorage(ctx: Ctx): PlansImpl['getStorage'] {
  return async (req, call) => {
    await openContainer(ctx.db, { id: req.nodeId, type: req.type }, subjectOf(call))
    return { settings: defaultOf(ctx) }
  }
}

/** Only the default can be chosen, so there is nothing to be stored. */
export function changeStorage(ctx: Ctx): PlansImpl['changeStorage'] {
  return async (req, call) => ({ settings: await checked(ctx, req, subjectOf(call)) })
}

export function checkStorage(ctx: Ctx): PlansImpl['checkStorage'] {
  return async (req, call) => ({ settings: await checked(ctx, req, subjectOf(call)) })
}

const defaultOf = ({ cfg }: Ctx) => ({ vendor: cfg.defaultVendor, paramsJson: '' })

async function checked(ctx: Ctx, { nodeId, type, settings }: Change, subject: Subject) {
  const holder = await openContainer(ctx.db, { id: nodeId, type }, subject)
  const { organization_id: organization } = holder
  if (organization && !(await allowsOwnStorage(ctx.db, organization))) {
    throw managedByOrganization()
  }
  if (!settings?.vendor) throw invalid('vendor', 'is required')
  if (settings.vendor === ctx.cfg.defaultVendor) return defaultOf(ctx)
  const { allow_flexible_storage } = await findSubscription(ctx.db, holder.id)
  if (!allow_flexible_storage) {
    throw planLimit('allow_flexible_storage', 'the plan does not allow storage of your own')
  }
  throw invalid('vendor', `is unknown to this installation: it has ${ctx.cfg.defaultVendor}`)
}

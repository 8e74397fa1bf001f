import type { HandlerContext } from '@connectrpc/connect'
import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireStaff } from '@figbase/kit/rpc'
import type { NodeType } from '@figbase/proto/catalog'
import type { CollectingProvider } from '../../billing/provider/port.js'
import { recordChange } from '../../billing/record-change.js'
import type { Ctx } from '../../context.js'
import type { Db } from '../../db/schema.js'
import { subjectOf } from '../../domain/subject.js'
import { managedByOrganization, paymentsNotCollected } from '../../errors.js'
import { type AccountRow, findAccount } from '../../queries/billing-accounts.js'
import { authorizeContainer, type ContainerAccess } from '../authorize-container.js'

type HolderRef = { nodeId: string; type: NodeType }

/** Throws 404 while billing is off, and 409 for a workspace that does not pay itself. */
export async function authorizeBilling(
  { cfg }: Ctx,
  db: Db,
  { nodeId: id, type }: HolderRef,
  call: HandlerContext,
): Promise<ContainerAccess> {
  const holder = await authorizeContainer(db, { id, type }, subjectOf(call))
  if (cfg.billing.provider === 'off') throw billingOff()
  if (holder.organization_id) throw managedByOrganization()
  return holder
}

/** As authorizeBilling for staff, whose username it returns. */
export function requireBillingStaff({ cfg }: Ctx, call: HandlerContext): string {
  const username = requireStaff(call)
  if (cfg.billing.provider === 'off') throw billingOff()
  return username
}

/** The account of a holder, also of one that has just been created. */
export async function getAccount(ctx: Ctx, db: Db, holderId: string): Promise<AccountRow> {
  const known = await findAccount(db, holderId)
  if (known) return known
  await recordChange(ctx, db, holderId)
  const created = await findAccount(db, holderId)
  if (!created) throw notFound('this object')
  return created
}

export function requireCollecting({ provider }: Ctx): CollectingProvider {
  if (!provider.collects) throw paymentsNotCollected()
  return provider
}

export const billingOff = () => notFound('billing')

export const invoiceNotFound = () => notFound('this invoice')

export function requireInvoiceId(id: string): string {
  if (!isUuid(id)) throw invoiceNotFound()
  return id.toLowerCase()
}

import type { HandlerContext } from '@connectrpc/connect'
import { invalid, notFound, unavailable } from '@figbase/kit/errors'
import type { NodeType } from '@figbase/proto/catalog'
import { customerOf } from '../../billing/customer.js'
import type { CollectingProvider } from '../../billing/provider/port.js'
import type { Ctx } from '../../context.js'
import { readPayment } from '../../job-names.js'
import { insertProviderEvent } from '../../queries/provider-events.js'
import type { BillingImpl } from '../../routes.js'
import { authorizeBilling, getAccount, requireCollecting } from './authorize-billing.js'

type HolderRef = { nodeId: string; type: NodeType }
type OpenPage = (provider: CollectingProvider, customerId: string, url: string) => Promise<string>

async function pageOf(ctx: Ctx, req: HolderRef, call: HandlerContext, open: OpenPage) {
  const { id, type } = await authorizeBilling(ctx, ctx.db, req, call)
  const provider = requireCollecting(ctx)
  const payer = await getAccount(ctx, ctx.db, id)
  const returnUrl = `${ctx.cfg.publicUrl}/${type}/${id}/billing/`
  try {
    const customer = await customerOf(ctx, provider, payer)
    return { url: await open(provider, customer.id, returnUrl) }
  } catch (error) {
    ctx.log.warn({ err: error }, 'billing provider failed')
    throw unavailable('the provider of payments is unavailable: try again later')
  }
}

export function createCheckout(ctx: Ctx): BillingImpl['createCheckout'] {
  return (req, call) =>
    pageOf(ctx, req, call, (provider, customer, url) => provider.createCheckout(customer, url))
}

export function createPortal(ctx: Ctx): BillingImpl['createPortal'] {
  return (req, call) =>
    pageOf(ctx, req, call, (provider, customer, url) => provider.createPortal(customer, url))
}

const payloadBytesMax = 1 << 20

export function receiveProviderEvent(ctx: Ctx): BillingImpl['receiveProviderEvent'] {
  return async ({ payload, signature }) => {
    const { provider } = ctx
    if (!provider.collects) throw notFound('billing')
    if (payload.length > payloadBytesMax)
      throw invalid('', `has more than ${payloadBytesMax} bytes`)
    const { id, objectId } = await provider.readEvent(payload, signature)
    await ctx.transact(async (tx) => {
      if (!(await insertProviderEvent(tx, id)) || !objectId) return
      await ctx.enqueue(tx, readPayment, { objectId }, { key: objectId })
    })
    return {}
  }
}

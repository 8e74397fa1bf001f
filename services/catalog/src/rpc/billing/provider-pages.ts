import type { HandlerContext } from '@connectrpc/connect'
import { invalid, notFound, unavailable } from '@figbase/kit/errors'
import type { NodeType } from '@figbase/proto/catalog'
import type { CollectingProvider, Payer, ProviderPage } from '../../billing/provider/port.js'
import type { Ctx } from '../../context.js'
import { readPayment } from '../../job-names.js'
import { setCustomer } from '../../queries/billing-accounts.js'
import { insertProviderEvent } from '../../queries/provider-events.js'
import type { BillingImpl } from '../../routes.js'
import { authorizeBilling, getAccount, requireCollecting } from './authorize-billing.js'

type HolderRef = { nodeId: string; type: NodeType }
type OpenPage = (provider: CollectingProvider, payer: Payer, url: string) => Promise<ProviderPage>

async function pageOf(ctx: Ctx, req: HolderRef, call: HandlerContext, open: OpenPage) {
  const { id, type } = await authorizeBilling(ctx, ctx.db, req, call)
  const provider = requireCollecting(ctx)
  const payer = await getAccount(ctx, ctx.db, id)
  const returnUrl = `${ctx.cfg.publicUrl}/${type}/${id}/billing/`
  const { customerId, url } = await open(provider, payer, returnUrl).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'billing provider failed')
    throw unavailable('the provider of payments is unavailable: try again later')
  })
  await ctx.write((db) => setCustomer(db, id, customerId))
  return { url }
}

export function createCheckout(ctx: Ctx): BillingImpl['createCheckout'] {
  return (req, call) =>
    pageOf(ctx, req, call, (provider, payer, url) => provider.createCheckout(payer, url))
}

export function createPortal(ctx: Ctx): BillingImpl['createPortal'] {
  return (req, call) =>
    pageOf(ctx, req, call, (provider, payer, url) => provider.createPortal(payer, url))
}

const payloadBytesMax = 1 << 20

export function receiveProviderEvent(ctx: Ctx): BillingImpl['receiveProviderEvent'] {
  return async ({ payload, signature }) => {
    const { provider } = ctx
    if (!provider.collects) throw notFound('billing')
    if (payload.length > payloadBytesMax)
      throw invalid('', `has more than ${payloadBytesMax} bytes`)
    const { id, objectId } = provider.readEvent(payload, signature)
    await ctx.transact(async (tx) => {
      if (!(await insertProviderEvent(tx, id)) || !objectId) return
      await ctx.enqueue(tx, readPayment, { objectId }, { key: objectId })
    })
    return {}
  }
}

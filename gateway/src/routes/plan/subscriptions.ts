import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { planSchema, planShape, subscriptionSchema, subscriptionShape } from '../../shapes/plan.js'
import { found } from '../found.js'
import { closedBody, idText, withArticle } from '../members.js'

type Holder = { segment: 'workspace' | 'organization'; type: NodeType }

const workspace: Holder = { segment: 'workspace', type: NodeType.WORKSPACE }
const organization: Holder = { segment: 'organization', type: NodeType.ORGANIZATION }
export const holders: Holder[] = [workspace, organization]

const guardOf =
  ({ type }: Holder) =>
  ({ id = '' }: Record<string, string>) => ({ id, permission: Permission.MANAGE, type })

const getSubscription = (holder: Holder) =>
  endpoint({
    method: 'GET',
    path: `/${holder.segment}/:id/subscription/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `The plan of ${withArticle(holder.segment)}, and what is used of it`,
    responses: { 200: subscriptionSchema },
    async handle({ params, services, call }) {
      const request = { nodeId: params.id ?? '', type: holder.type }
      const { subscription } = await services.plans.getSubscription(request, call)
      return ok(subscriptionShape(found(subscription)))
    },
  })

const overages = z.boolean('must be true or false').optional()

const changeSubscription = (holder: Holder, method: 'POST' | 'PATCH') =>
  endpoint({
    method,
    path: `/${holder.segment}/:id/subscription/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Change the plan of ${withArticle(holder.segment)}`,
    body: closedBody(
      {
        plan: method === 'POST' ? idText : idText.optional(),
        compute_overages_enabled: overages,
      },
      subscriptionSchema,
    ),
    responses: { 200: subscriptionSchema },
    guard: guardOf(holder),
    async handle({ params, services, call, body }) {
      const { plan, compute_overages_enabled } = body
      const request = {
        nodeId: params.id ?? '',
        type: holder.type,
        ...(plan !== undefined && { planId: plan }),
        ...(compute_overages_enabled !== undefined && {
          computeOveragesEnabled: compute_overages_enabled,
        }),
      }
      const { subscription } = await services.plans.changeSubscription(request, call)
      return ok(subscriptionShape(found(subscription)))
    },
  })

const applyPromotion = endpoint({
  method: 'POST',
  path: '/workspace/:id/promotion/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'Apply a promotion code; answers the resulting plan',
  body: closedBody({ promotion_code: z.string('must be a string') }),
  responses: { 200: planSchema },
  guard: guardOf(workspace),
  async handle({ params, services, call, body }) {
    const request = { nodeId: params.id ?? '', type: workspace.type, code: body.promotion_code }
    const { plan } = await services.plans.applyPromotion(request, call)
    return ok(planShape(found(plan)))
  },
})

export const subscriptions: Endpoint[] = [
  ...holders.flatMap((holder) => [
    getSubscription(holder),
    changeSubscription(holder, 'POST'),
    changeSubscription(holder, 'PATCH'),
  ]),
  applyPromotion,
]

import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { planSchema, planShape, subscriptionSchema, subscriptionShape } from '../../shapes/plan.js'
import { closedBody, idText } from '../body-members.js'
import { nounOf } from '../nouns.js'

type PlanResource = { segment: 'workspace' | 'organization'; type: NodeType }

const workspace: PlanResource = { segment: 'workspace', type: NodeType.WORKSPACE }
const organization: PlanResource = { segment: 'organization', type: NodeType.ORGANIZATION }
export const planResources: PlanResource[] = [workspace, organization]

const guardOf =
  ({ type }: PlanResource) =>
  ({ id = '' }: Record<string, string>) => ({ id, permission: Permission.MANAGE, type })

const getSubscription = (resource: PlanResource) =>
  endpoint({
    method: 'GET',
    path: `/${resource.segment}/:id/subscription/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `get${nounOf(resource.segment).idPart}Subscription`,
    summary: `Get the plan of ${nounOf(resource.segment).a}, and its usage`,
    description: 'The caller needs the permission MANAGE.',
    responses: { 200: subscriptionSchema },
    async handle({ params, services, call }) {
      const request = { nodeId: params.id ?? '', type: resource.type }
      const { subscription } = await services.plans.getSubscription(request, call)
      return ok(subscriptionShape(required(subscription)))
    },
  })

const overages = z.boolean('must be true or false').optional()

const changeSubscription = (resource: PlanResource, method: 'POST' | 'PATCH') =>
  endpoint({
    method,
    path: `/${resource.segment}/:id/subscription/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${method === 'POST' ? 'change' : 'update'}${nounOf(resource.segment).idPart}Subscription`,
    summary: `Change the plan of ${nounOf(resource.segment).a}`,
    description:
      'The caller needs the permission MANAGE. A workspace of an organization with a plan has that plan.',
    body: closedBody(
      {
        plan: method === 'POST' ? idText : idText.optional(),
        compute_overages_enabled: overages,
      },
      subscriptionSchema,
    ).meta({
      id: method === 'POST' ? 'SubscriptionChange' : 'SubscriptionUpdate',
      description: 'The plan to change to.',
    }),
    responses: { 200: subscriptionSchema },
    errors: { 403: ['max_storage_bytes', 'max_users'], 409: ['managed_by_organization'] },
    guard: guardOf(resource),
    async handle({ params, services, call, body }) {
      const { plan, compute_overages_enabled } = body
      const request = {
        nodeId: params.id ?? '',
        type: resource.type,
        ...(plan !== undefined && { planId: plan }),
        ...(compute_overages_enabled !== undefined && {
          computeOveragesEnabled: compute_overages_enabled,
        }),
      }
      const { subscription } = await services.plans.changeSubscription(request, call)
      return ok(subscriptionShape(required(subscription)))
    },
  })

const applyPromotion = endpoint({
  method: 'POST',
  path: '/workspace/:id/promotion/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'applyWorkspacePromotion',
  summary: 'Apply a promotion code to a workspace',
  description: 'The caller needs the permission MANAGE. The answer is the resulting plan.',
  body: closedBody({ promotion_code: z.string('must be a string') }),
  responses: { 200: planSchema },
  errors: { 403: ['max_storage_bytes', 'max_users'], 409: ['managed_by_organization'] },
  guard: guardOf(workspace),
  async handle({ params, services, call, body }) {
    const request = { nodeId: params.id ?? '', type: workspace.type, code: body.promotion_code }
    const { plan } = await services.plans.applyPromotion(request, call)
    return ok(planShape(required(plan)))
  },
})

export const subscriptions: Endpoint[] = [
  ...planResources.flatMap((resource) => [
    getSubscription(resource),
    changeSubscription(resource, 'POST'),
    changeSubscription(resource, 'PATCH'),
  ]),
  applyPromotion,
]

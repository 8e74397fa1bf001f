import { created, type Endpoint, endpoint, noContent, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { planSchema, planShape } from '../../shapes/plan.js'
import { listEndpoint, pageOf } from '../list.js'
import { type PlanBody, planBody, planUpdateBody, termsOf } from './plan-body.js'

const listPlans = listEndpoint({
  path: '/plan/',
  since: 'v1',
  auth: 'optional',
  operationId: 'listPlans',
  summary: 'List the plans',
  description: 'A limit of null means unlimited.',
  item: planSchema,
  isShort: true,
  async readPage({ services, call }, page) {
    const { plans } = await services.plans.listPlans({}, call)
    return pageOf(plans.map(planShape), ({ api_id }) => api_id, page)
  },
})

const createPlan = endpoint({
  method: 'POST',
  path: '/plan/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'createPlan',
  summary: 'Create a plan',
  description: 'Only staff may create plans. An omitted limit means unlimited.',
  body: planBody,
  responses: { 201: planSchema },
  errors: { 409: ['duplicate_plan'] },
  async handle({ services, call, body }) {
    const request = { terms: termsOf(body), isDefault: body.is_default ?? false }
    const { plan } = await services.plans.createPlan(request, call)
    return created(planShape(required(plan)))
  },
})

const updatePlan = (method: 'PUT' | 'PATCH') =>
  endpoint({
    method,
    path: '/plan/:id/',
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${method === 'PUT' ? 'replace' : 'update'}Plan`,
    summary: 'Update a plan',
    description: 'Only staff may update plans. Omitted members keep their values.',
    body: planUpdateBody,
    responses: { 200: planSchema },
    errors: { 409: ['duplicate_plan'] },
    async handle({ services, call, body, params }) {
      const { plans } = await services.plans.listPlans({}, call)
      const before = plans.find(({ id }) => id === params.id?.toLowerCase())
      const terms = termsOf({ name: '-', ...(before && planShape(before)), ...definedOf(body) })
      const request = { id: params.id ?? '', terms, isDefault: body.is_default ?? false }
      const { plan } = await services.plans.updatePlan(request, call)
      return ok(planShape(required(plan)))
    },
  })

/** Removes omitted members, which are undefined in a parsed body. */
const definedOf = (body: Partial<PlanBody>) =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as Partial<PlanBody>

const deletePlan = endpoint({
  method: 'DELETE',
  path: '/plan/:id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'deletePlan',
  summary: 'Delete a plan that is not in use',
  description: 'Only staff may delete plans.',
  responses: { 204: null },
  errors: { 409: ['plan_in_use'] },
  async handle({ services, call, params }) {
    await services.plans.deletePlan({ id: params.id ?? '' }, call)
    return noContent
  },
})

export const plans: Endpoint[] = [
  listPlans,
  createPlan,
  updatePlan('PUT'),
  updatePlan('PATCH'),
  deletePlan,
]

import { z } from 'zod'
import { created, type Endpoint, endpoint, noContent, ok } from '../../endpoint.js'
import { promotionSchema, promotionShape } from '../../shapes/plan.js'
import { found } from '../found.js'
import { closedBody, idText } from '../members.js'
import { allPages } from '../pages.js'
import { timeMember } from '../times.js'

const listPromotions = endpoint({
  method: 'GET',
  path: '/promotion_code/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'The promotion codes; for staff',
  responses: { 200: z.array(promotionSchema) },
  async handle({ services, call }) {
    const read = async (pageToken: string) => {
      const { promotions, nextPageToken } = await services.plans.listPromotions({ pageToken }, call)
      return { items: promotions.map(promotionShape), nextPageToken }
    }
    return ok(await allPages(read))
  },
})

const createPromotion = endpoint({
  method: 'POST',
  path: '/promotion_code/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  summary: 'Make a code that gives a plan; one is drawn unless it is given; for staff',
  body: closedBody({
    promotion_code: z.string('must be a string').nullish(),
    plan: idText,
    expiry: timeMember,
    uses_max: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(2 ** 31 - 1, `must be at most ${2 ** 31 - 1}`)
      .nullish(),
  }),
  responses: { 201: promotionSchema },
  async handle({ services, call, body: { promotion_code: code, plan: planId, expiry, uses_max } }) {
    const request = {
      code: code ?? '',
      planId,
      ...(expiry && { expiresOn: expiry }),
      ...(typeof uses_max === 'number' && { usesMax: uses_max }),
    }
    const { promotion } = await services.plans.createPromotion(request, call)
    return created(promotionShape(found(promotion)))
  },
})

const deletePromotion = endpoint({
  method: 'DELETE',
  path: '/promotion_code/:code/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'Take a code back; what it gave stays; for staff',
  responses: { 204: null },
  async handle({ services, call, params }) {
    await services.plans.deletePromotion({ code: params.code ?? '' }, call)
    return noContent
  },
})

export const promotions: Endpoint[] = [listPromotions, createPromotion, deletePromotion]

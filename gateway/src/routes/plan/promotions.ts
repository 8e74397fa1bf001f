import { z } from 'zod'
import { created, type Endpoint, endpoint, noContent } from '../../endpoint.js'
import { required } from '../../required.js'
import { promotionSchema, promotionShape } from '../../shapes/plan.js'
import { closedBody, idText } from '../body-members.js'
import { listEndpoint } from '../list.js'
import { timeMember } from '../times.js'

const listPromotions = listEndpoint({
  path: '/promotion_code/',
  since: 'v1',
  auth: 'required',
  operationId: 'listPromotionCodes',
  summary: 'List the promotion codes',
  description: 'Only staff may read them.',
  item: promotionSchema,
  isShort: true,
  async readPage({ services, call }, page) {
    const { promotions, nextPageToken } = await services.plans.listPromotions(page, call)
    return { items: promotions.map(promotionShape), nextPageToken }
  },
})

const createPromotion = endpoint({
  method: 'POST',
  path: '/promotion_code/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'createPromotionCode',
  summary: 'Create a promotion code for a plan',
  description: 'Only staff may create codes. An omitted code is generated.',
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
  errors: { 409: ['duplicate_promotion'] },
  async handle({ services, call, body: { promotion_code: code, plan: planId, expiry, uses_max } }) {
    const request = {
      code: code ?? '',
      planId,
      ...(expiry && { expiresOn: expiry }),
      ...(typeof uses_max === 'number' && { usesMax: uses_max }),
    }
    const { promotion } = await services.plans.createPromotion(request, call)
    return created(promotionShape(required(promotion)))
  },
})

const deletePromotion = endpoint({
  method: 'DELETE',
  path: '/promotion_code/:code/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'deletePromotionCode',
  summary: 'Delete a promotion code',
  description: 'Only staff may delete codes. Plans that were granted with it remain.',
  responses: { 204: null },
  async handle({ services, call, params }) {
    await services.plans.deletePromotion({ code: params.code ?? '' }, call)
    return noContent
  },
})

export const promotions: Endpoint[] = [listPromotions, createPromotion, deletePromotion]

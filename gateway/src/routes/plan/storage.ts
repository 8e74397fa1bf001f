import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { storageSchema, storageShape } from '../../shapes/plan.js'
import { nounOf } from '../nouns.js'
import { planResources } from './subscriptions.js'

const body = z
  .object({ vendor: z.string('must be a string'), params: z.unknown().optional() })
  .meta({ id: 'StorageUpdate', description: 'Where to store data.' })

type PlanResource = (typeof planResources)[number]

const getStorage = ({ segment, type }: PlanResource) =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/storage/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}Storage`,
    summary: `Get where the data of ${nounOf(segment).a} is stored`,
    description: 'The caller needs the permission MANAGE. Secrets are not shown.',
    responses: { 200: storageSchema },
    async handle({ params, services, call }) {
      const { settings } = await services.plans.getStorage({ nodeId: params.id ?? '', type }, call)
      return ok(storageShape(required(settings)))
    },
  })

const changeStorage = ({ segment, type }: PlanResource, isTest: boolean) =>
  endpoint({
    method: 'POST',
    path: `/${segment}/:id/storage/${isTest ? 'test/' : ''}`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${isTest ? 'test' : 'change'}${nounOf(segment).idPart}Storage`,
    summary: `${isTest ? 'Test storage settings for' : 'Change where to store new data of'} ${nounOf(segment).a}`,
    description:
      'The caller needs the permission MANAGE. The vendor and the credentials are tested with a small object.',
    body,
    responses: { 200: storageSchema },
    errors: { 403: ['allow_flexible_storage'], 409: ['managed_by_organization'] },
    guard: ({ id = '' }) => ({ id, permission: Permission.MANAGE, type }),
    async handle({ params, services: { plans }, call, body: { vendor, params: own } }) {
      const paramsJson = own === undefined || own === null ? '' : JSON.stringify(own)
      const request = { nodeId: params.id ?? '', type, settings: { vendor, paramsJson } }
      const { settings } = isTest
        ? await plans.checkStorage(request, call)
        : await plans.changeStorage(request, call)
      return ok(storageShape(required(settings)))
    },
  })

export const storage: Endpoint[] = planResources.flatMap((resource) => [
  getStorage(resource),
  changeStorage(resource, false),
  changeStorage(resource, true),
])

import { Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { storageSchema, storageShape } from '../../shapes/plan.js'
import { found } from '../found.js'
import { withArticle } from '../members.js'
import { holders } from './subscriptions.js'

const body = z.object({ vendor: z.string('must be a string'), params: z.unknown().optional() })

type Holder = (typeof holders)[number]

const getStorage = ({ segment, type }: Holder) =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/storage/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: `Where the data of ${withArticle(segment)} is stored`,
    responses: { 200: storageSchema },
    async handle({ params, services, call }) {
      const { settings } = await services.plans.getStorage({ nodeId: params.id ?? '', type }, call)
      return ok(storageShape(found(settings)))
    },
  })

const changeStorage = ({ segment, type }: Holder, isTest: boolean) =>
  endpoint({
    method: 'POST',
    path: `/${segment}/:id/storage/${isTest ? 'test/' : ''}`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: isTest
      ? 'Check storage settings without saving them'
      : `Change where new data of ${withArticle(segment)} is stored`,
    body,
    responses: { 200: storageSchema },
    guard: ({ id = '' }) => ({ id, permission: Permission.MANAGE, type }),
    async handle({ params, services: { plans }, call, body: { vendor, params: own } }) {
      const paramsJson = own === undefined || own === null ? '' : JSON.stringify(own)
      const request = { nodeId: params.id ?? '', type, settings: { vendor, paramsJson } }
      const { settings } = isTest
        ? await plans.checkStorage(request, call)
        : await plans.changeStorage(request, call)
      return ok(storageShape(found(settings)))
    },
  })

export const storage: Endpoint[] = holders.flatMap((holder) => [
  getStorage(holder),
  changeStorage(holder, false),
  changeStorage(holder, true),
])

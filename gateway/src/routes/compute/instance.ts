import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  connectionSchema,
  connectionShape,
  heartbeatSchema,
  heartbeatShape,
  instanceEventSchema,
  instanceEventShape,
  instanceSchema,
  instanceShape,
} from '../../shapes/compute.js'
import { closedBody, name } from '../body-members.js'
import { listEndpoint, type PageRequest } from '../list.js'

const path = '/compute/instance/:id/'

const getInstance = endpoint({
  method: 'GET',
  path,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  operationId: 'getComputeInstance',
  summary: 'Get a compute instance',
  description: 'The instance must be in a workspace of the caller.',
  responses: { 200: instanceSchema },
  async handle({ params, services, call }) {
    const { instance } = await services.compute.getInstance({ id: params.id ?? '' }, call)
    return ok(instanceShape(required(instance)))
  },
})

const updateInstance = endpoint({
  method: 'PATCH',
  path,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  operationId: 'updateComputeInstance',
  summary: 'Rename a compute instance, or change when it is shut down',
  description: 'Omitted members keep their values.',
  body: closedBody(
    {
      name: name.optional(),
      idle_shutdown_enabled: z.boolean('must be true or false').optional(),
      idle_shutdown_seconds: z.int32('must be a whole number').optional(),
    },
    instanceSchema,
  ),
  responses: { 200: instanceSchema },
  errors: { 409: ['instance_terminated'] },
  async handle({ params, body, services, call }) {
    const { idle_shutdown_enabled: enabled, idle_shutdown_seconds: seconds } = body
    const request = {
      id: params.id ?? '',
      ...(body.name !== undefined && { name: body.name }),
      ...(enabled !== undefined && { idleShutdownEnabled: enabled }),
      ...(seconds !== undefined && { idleShutdownSeconds: seconds }),
    }
    const { instance } = await services.compute.updateInstance(request, call)
    return ok(instanceShape(required(instance)))
  },
})

const changeTier = endpoint({
  method: 'POST',
  path: `${path}change-tier/`,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  operationId: 'changeComputeInstanceTier',
  summary: 'Change the tier of a compute instance',
  description: 'The instance must be stopped.',
  body: closedBody({ tier: z.string('must be the id of a tier') }),
  responses: { 200: instanceSchema },
  errors: { 409: ['instance_not_stopped', 'instance_terminated'] },
  async handle({ params, body, services, call }) {
    const request = { id: params.id ?? '', tier: body.tier }
    const { instance } = await services.compute.changeTier(request, call)
    return ok(instanceShape(required(instance)))
  },
})

const heartbeat = endpoint({
  method: 'GET',
  path: `${path}heartbeat/`,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  operationId: 'getComputeInstanceHeartbeat',
  summary: 'Get what was measured last in a compute instance',
  description: 'Both members are null before the first measurement.',
  responses: { 200: heartbeatSchema },
  async handle({ params, services, call }) {
    return ok(heartbeatShape(await services.compute.getHeartbeat({ id: params.id ?? '' }, call)))
  },
})

const eventsMax = 1000

async function readEvents({ params, services, call }: Input, page: PageRequest) {
  const request = { id: params.id ?? '', ...page }
  const { events, nextPageToken } = await services.compute.listInstanceEvents(request, call)
  return { items: events.map(instanceEventShape), nextPageToken }
}

const events = listEndpoint({
  path: `${path}events/`,
  since: 'v1.4.1',
  auth: 'required',
  operationId: 'listComputeInstanceEvents',
  summary: 'List what happened to a compute instance',
  description: `The newest comes first. At most ${eventsMax} events are listed at once.`,
  item: instanceEventSchema,
  readPage: readEvents,
  whole: {
    schema: z.array(instanceEventSchema),
    async read(input) {
      return ok((await readEvents(input, { pageSize: eventsMax, pageToken: '' })).items)
    },
  },
})

const connect = endpoint({
  method: 'GET',
  path: `${path}connect/`,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: false,
  operationId: 'connectComputeInstance',
  summary: 'Get an address that opens the notebook of a compute instance',
  description:
    'A browser can open the address once. Only the owner of the instance may get it, while the instance runs.',
  query: z.object({ app: z.string().optional() }),
  responses: { 200: connectionSchema },
  errors: { 409: ['instance_not_running'], 503: ['compute_unavailable'] },
  async handle({ params, query, services, call }) {
    const request = { id: params.id ?? '', app: query.app ?? '' }
    return ok(connectionShape(await services.compute.connectInstance(request, call)))
  },
})

export const instance: Endpoint[] = [
  getInstance,
  updateInstance,
  changeTier,
  connect,
  heartbeat,
  events,
]

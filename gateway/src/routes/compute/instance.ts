import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
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

const path = '/compute/instance/:id/'

const getInstance = endpoint({
  method: 'GET',
  path,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  summary: 'Get a compute instance of an own workspace',
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
  summary: 'Rename a compute instance, or change when it is shut down',
  body: closedBody(
    {
      name: name.optional(),
      idle_shutdown_enabled: z.boolean('must be true or false').optional(),
      idle_shutdown_seconds: z.int32('must be a whole number').optional(),
    },
    instanceSchema,
  ),
  responses: { 200: instanceSchema },
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
  summary: 'Change the size of a stopped compute instance; 409 unless it is stopped',
  body: closedBody({ tier: z.string('must be the id of a tier') }),
  responses: { 200: instanceSchema },
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
  summary: 'What was measured last while a compute instance ran',
  responses: { 200: heartbeatSchema },
  async handle({ params, services, call }) {
    return ok(heartbeatShape(await services.compute.getHeartbeat({ id: params.id ?? '' }, call)))
  },
})

const eventsMax = 1000

const events = endpoint({
  method: 'GET',
  path: `${path}events/`,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  summary: `What happened to a compute instance, newest first; the last ${eventsMax} events`,
  responses: { 200: z.array(instanceEventSchema) },
  async handle({ params, services, call }) {
    const request = { id: params.id ?? '', pageSize: eventsMax }
    const { events } = await services.compute.listInstanceEvents(request, call)
    return ok(events.map(instanceEventShape))
  },
})

const connect = endpoint({
  method: 'GET',
  path: `${path}connect/`,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: false,
  summary:
    'An address that opens the notebook of a running compute instance in a browser, once; for its owner only. 409 `instance_not_running` unless it is running',
  query: z.object({ app: z.string().optional() }),
  responses: { 200: connectionSchema },
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

import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { created, type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import {
  allowanceSchema,
  allowanceShape,
  instanceSchema,
  instanceShape,
  launchOptionsSchema,
  launchOptionsShape,
} from '../../shapes/compute.js'
import { closedBody, name } from '../body-members.js'
import { listEndpoint } from '../list.js'

const listInstances = listEndpoint({
  path: '/workspace/:id/compute_instances/',
  since: 'v1.4.1',
  auth: 'required',
  operationId: 'listComputeInstances',
  summary: 'List the compute instances of a workspace',
  description: 'The newest comes first. Terminated instances are not listed.',
  item: instanceSchema,
  // A workspace has at most COMPUTE_INSTANCES_MAX of them.
  isShort: true,
  async readPage({ params, services, call }, page) {
    const request = { workspaceId: params.id ?? '', ...page }
    const { instances, nextPageToken } = await services.compute.listInstances(request, call)
    return { items: instances.map(instanceShape), nextPageToken }
  },
})

const tier = z.string('must be the id of a tier')
const volume = z.int32('must be a whole number')

const launch = endpoint({
  method: 'POST',
  path: '/workspace/:id/compute_instances/',
  since: 'v1.4.1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'launchComputeInstance',
  summary: 'Launch a compute instance',
  description:
    'The caller needs the permission CREATE on the workspace. The answer comes before the instance runs.',
  body: closedBody(
    { name, tier: tier.optional(), data_volume_gb: volume.optional() },
    instanceSchema,
  ),
  responses: { 201: instanceSchema },
  errors: {
    402: ['allowance_exhausted'],
    403: ['compute_enabled', 'compute_max_running_instances'],
    409: ['too_many_instances'],
    503: ['compute_unavailable'],
  },
  guard: ({ id = '' }) => ({ id, permission: Permission.CREATE, type: NodeType.WORKSPACE }),
  async handle({ params, body, services, call }) {
    const { data_volume_gb: dataVolumeGb } = body
    const request = {
      workspaceId: params.id ?? '',
      name: body.name,
      tier: body.tier ?? '',
      ...(dataVolumeGb !== undefined && { dataVolumeGb }),
    }
    const { instance } = await services.compute.launchInstance(request, call)
    return created(instanceShape(required(instance)))
  },
})

const launchOptions = endpoint({
  method: 'GET',
  path: '/workspace/:id/compute_instances/launch_options/',
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  operationId: 'getComputeLaunchOptions',
  summary: 'Get what a compute instance may be launched with',
  description:
    'The answer lists the tiers and the limits of the plan, or says why nothing can be launched.',
  responses: { 200: launchOptionsSchema },
  async handle({ params, services, call }) {
    const request = { workspaceId: params.id ?? '' }
    return ok(launchOptionsShape(await services.compute.getLaunchOptions(request, call)))
  },
})

const allowance = endpoint({
  method: 'GET',
  path: '/workspace/:id/compute_allowance/',
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  operationId: 'getComputeAllowance',
  summary: 'Get the compute time that a workspace has left in this month',
  description: 'The plan of the workspace applies, or that of its organization.',
  responses: { 200: allowanceSchema },
  async handle({ params, services, call }) {
    const request = { workspaceId: params.id ?? '' }
    return ok(allowanceShape(await services.compute.getAllowance(request, call)))
  },
})

export const inWorkspace: Endpoint[] = [listInstances, launch, launchOptions, allowance]

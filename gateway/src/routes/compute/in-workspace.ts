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
import { collectPages } from '../pagination.js'

const listInstances = endpoint({
  method: 'GET',
  path: '/workspace/:id/compute_instances/',
  since: 'v1.4.1',
  auth: 'required',
  idempotent: true,
  summary: 'List the compute instances of a workspace that are not terminated, newest first',
  responses: { 200: z.array(instanceSchema) },
  async handle({ params, services, call }) {
    const { id: workspaceId = '' } = params
    // A workspace has at most COMPUTE_INSTANCES_MAX of them.
    const instances = await collectPages(async (pageToken) => {
      const page = await services.compute.listInstances({ workspaceId, pageToken }, call)
      return { items: page.instances, nextPageToken: page.nextPageToken }
    })
    return ok(instances.map(instanceShape))
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
  summary:
    'Launch a compute instance. 402 `allowance_exhausted` if the plan has no time left in this month, 503 `compute_unavailable` if this installation runs none',
  body: closedBody(
    { name, tier: tier.optional(), data_volume_gb: volume.optional() },
    instanceSchema,
  ),
  responses: { 201: instanceSchema },
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
  summary: 'What a compute instance may be launched with, or why none can be',
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
  summary:
    'The time that the plan of a workspace, or of its organization, has left in this month for compute instances',
  responses: { 200: allowanceSchema },
  async handle({ params, services, call }) {
    const request = { workspaceId: params.id ?? '' }
    return ok(allowanceShape(await services.compute.getAllowance(request, call)))
  },
})

export const inWorkspace: Endpoint[] = [listInstances, launch, launchOptions, allowance]

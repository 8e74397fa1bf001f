import { type Endpoint, endpoint, type Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { instanceSchema, instanceShape } from '../../shapes/compute.js'

type Command = {
  name: 'start' | 'stop' | 'terminate'
  summary: string
  description: string
  rpc: 'startInstance' | 'stopInstance' | 'terminateInstance'
  errors: Record<number, string[]>
}

const commands: Command[] = [
  {
    name: 'start',
    summary: 'Start a stopped compute instance',
    description: 'The answer comes before the instance runs.',
    rpc: 'startInstance',
    errors: {
      402: ['allowance_exhausted'],
      403: ['compute_enabled', 'compute_max_running_instances'],
      409: ['instance_stopping', 'instance_terminated', 'tier_unavailable'],
      503: ['compute_unavailable'],
    },
  },
  {
    name: 'stop',
    summary: 'Stop a compute instance',
    description: 'The files of the instance are kept.',
    rpc: 'stopInstance',
    errors: { 409: ['instance_terminated'] },
  },
  {
    name: 'terminate',
    summary: 'End a compute instance for good',
    description: 'The files of the instance are deleted later.',
    rpc: 'terminateInstance',
    errors: { 409: ['instance_terminated'] },
  },
]

const commandRoute = ({ name, summary, description, rpc, errors }: Command) =>
  endpoint({
    method: 'POST',
    path: `/compute/instance/:id/${name}/`,
    since: 'v1.4.1',
    auth: 'required',
    idempotent: true,
    operationId: `${name}ComputeInstance`,
    summary,
    description,
    responses: { 202: instanceSchema },
    errors,
    async handle({ params, services, call }: Input) {
      const { instance } = await services.compute[rpc]({ id: params.id ?? '' }, call)
      return { status: 202, body: instanceShape(required(instance)) }
    },
  })

export const commandRoutes: Endpoint[] = commands.map(commandRoute)

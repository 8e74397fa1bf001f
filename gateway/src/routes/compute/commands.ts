import { type Endpoint, endpoint, type Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { instanceSchema, instanceShape } from '../../shapes/compute.js'

type Command = {
  name: 'start' | 'stop' | 'terminate'
  summary: string
  description: string
  rpc: 'startInstance' | 'stopInstance' | 'terminateInstance'
}

const commands: Command[] = [
  {
    name: 'start',
    summary: 'Start a stopped compute instance',
    description: 'The answer comes before the instance runs.',
    rpc: 'startInstance',
  },
  {
    name: 'stop',
    summary: 'Stop a compute instance',
    description: 'The files of the instance are kept.',
    rpc: 'stopInstance',
  },
  {
    name: 'terminate',
    summary: 'End a compute instance for good',
    description: 'The files of the instance are deleted later.',
    rpc: 'terminateInstance',
  },
]

const commandRoute = ({ name, summary, description, rpc }: Command) =>
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
    async handle({ params, services, call }: Input) {
      const { instance } = await services.compute[rpc]({ id: params.id ?? '' }, call)
      return { status: 202, body: instanceShape(required(instance)) }
    },
  })

export const commandRoutes: Endpoint[] = commands.map(commandRoute)

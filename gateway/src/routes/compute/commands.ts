import { type Endpoint, endpoint, type Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { instanceSchema, instanceShape } from '../../shapes/compute.js'

type Command = {
  name: 'start' | 'stop' | 'terminate'
  summary: string
  rpc: 'startInstance' | 'stopInstance' | 'terminateInstance'
}

const commands: Command[] = [
  {
    name: 'start',
    summary:
      'Start a stopped compute instance. 402 `allowance_exhausted` if the plan has no time left in this month, 409 `tier_unavailable` if its tier does not exist any more',
    rpc: 'startInstance',
  },
  { name: 'stop', summary: 'Stop a compute instance; its files are kept', rpc: 'stopInstance' },
  {
    name: 'terminate',
    summary: 'End a compute instance for good; its files are deleted later',
    rpc: 'terminateInstance',
  },
]

const commandRoute = ({ name, summary, rpc }: Command) =>
  endpoint({
    method: 'POST',
    path: `/compute/instance/:id/${name}/`,
    since: 'v1.4.1',
    auth: 'required',
    idempotent: true,
    summary,
    responses: { 202: instanceSchema },
    async handle({ params, services, call }: Input) {
      const { instance } = await services.compute[rpc]({ id: params.id ?? '' }, call)
      return { status: 202, body: instanceShape(required(instance)) }
    },
  })

export const commandRoutes: Endpoint[] = commands.map(commandRoute)

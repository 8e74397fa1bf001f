import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'

export const getSshKey: Endpoint = endpoint({
  method: 'GET',
  path: '/ssh_key/:api_id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getSshKey',
  summary: 'Get an SSH key of the caller',
  description: 'The answer has the public key only.',
  responses: { 200: sshKeySchema },
  async handle({ params, services, call }) {
    const { key } = await services.sshKeys.getSshKey({ id: params.api_id ?? '' }, call)
    return ok(sshKeyShape(required(key)))
  },
})

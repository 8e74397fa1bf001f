import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'
import { found } from '../found.js'

export const getSshKey: Endpoint = endpoint({
  method: 'GET',
  path: '/ssh_key/:api_id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: "One of the caller's SSH keys",
  responses: { 200: sshKeySchema },
  async handle({ params, services, call }) {
    const { key } = await services.sshKeys.getSshKey({ id: params.api_id ?? '' }, call)
    return ok(sshKeyShape(found(key)))
  },
})

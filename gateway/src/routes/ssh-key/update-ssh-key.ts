import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'
import { closedBody, name } from '../body-members.js'

export const updateSshKey: Endpoint = endpoint({
  method: 'PATCH',
  path: '/ssh_key/:api_id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'updateSshKey',
  summary: 'Rename an SSH key, or make it the default',
  description: 'Omitted members keep their values.',
  body: closedBody(
    {
      name: name.optional(),
      is_default: z.boolean('must be true or false').optional(),
    },
    sshKeySchema,
  ),
  responses: { 200: sshKeySchema },
  async handle({ params, body, services, call }) {
    const { name, is_default: isDefault } = body
    const request = {
      id: params.api_id ?? '',
      ...(name !== undefined && { name }),
      ...(isDefault !== undefined && { isDefault }),
    }
    const { key } = await services.sshKeys.updateSshKey(request, call)
    return ok(sshKeyShape(required(key)))
  },
})

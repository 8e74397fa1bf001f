import { z } from 'zod'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'
import { closedBody, name } from '../body-members.js'

export const createSshKey: Endpoint = endpoint({
  method: 'POST',
  path: '/ssh_key/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'createSshKey',
  summary: 'Store a private SSH key',
  description: 'The private key is never returned. The request needs a sign-in with a password.',
  body: closedBody({
    name,
    private_key: z.string('must be a string'),
    passphrase: z.string('must be a string or null').nullish(),
    is_default: z.boolean('must be true or false').optional(),
  }),
  responses: { 201: sshKeySchema },
  responseHeaders: ['Location'],
  async handle({ version, body, services, call }) {
    const request = {
      name: body.name,
      privateKey: body.private_key,
      passphrase: body.passphrase ?? '',
      isDefault: body.is_default ?? false,
    }
    const { key: answered } = await services.sshKeys.createSshKey(request, call)
    const key = required(answered)
    return created(sshKeyShape(key), { location: `/api/${version}/ssh_key/${key.id}/` })
  },
})

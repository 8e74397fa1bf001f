import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'
import { collectPages } from '../pagination.js'

export const listSshKeys: Endpoint = endpoint({
  method: 'GET',
  path: '/ssh_key/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listSshKeys',
  summary: 'List the SSH keys of the caller',
  description: 'The oldest comes first.',
  responses: { 200: z.array(sshKeySchema) },
  async handle({ services, call }) {
    const keys = await collectPages(async (pageToken) => {
      const page = await services.sshKeys.listSshKeys({ pageToken }, call)
      return { items: page.keys, nextPageToken: page.nextPageToken }
    })
    return ok(keys.map(sshKeyShape))
  },
})

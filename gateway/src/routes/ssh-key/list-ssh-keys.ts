import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'
import { allPages } from '../pages.js'

export const listSshKeys: Endpoint = endpoint({
  method: 'GET',
  path: '/ssh_key/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: "The caller's SSH keys, oldest first",
  responses: { 200: z.array(sshKeySchema) },
  async handle({ services, call }) {
    const keys = await allPages(async (pageToken) => {
      const page = await services.sshKeys.listSshKeys({ pageToken }, call)
      return { items: page.keys, nextPageToken: page.nextPageToken }
    })
    return ok(keys.map(sshKeyShape))
  },
})

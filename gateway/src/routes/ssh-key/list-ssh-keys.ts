import type { Endpoint } from '../../endpoint.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'
import { listEndpoint } from '../list.js'

export const listSshKeys: Endpoint = listEndpoint({
  path: '/ssh_key/',
  since: 'v1',
  auth: 'required',
  operationId: 'listSshKeys',
  summary: 'List the SSH keys of the caller',
  description: 'The oldest comes first.',
  item: sshKeySchema,
  isShort: true,
  async readPage({ services, call }, page) {
    const { keys, nextPageToken } = await services.sshKeys.listSshKeys(page, call)
    return { items: keys.map(sshKeyShape), nextPageToken }
  },
})

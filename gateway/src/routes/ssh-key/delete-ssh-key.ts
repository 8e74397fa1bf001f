import { type Endpoint, endpoint, noContent } from '../../endpoint.js'

export const deleteSshKey: Endpoint = endpoint({
  method: 'DELETE',
  path: '/ssh_key/:api_id/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'deleteSshKey',
  summary: 'Delete an SSH key of the caller',
  description: 'The request needs a sign-in with a password.',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.sshKeys.deleteSshKey({ id: params.api_id ?? '' }, call)
    return noContent
  },
})

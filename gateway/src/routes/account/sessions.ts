import { type Endpoint, endpoint, noContent } from '../../endpoint.js'
import { sessionSchema, sessionShape } from '../../shapes/account.js'
import { listEndpoint, pageOf } from '../list.js'

const path = '/account/:username/sessions/'

const listSessions = listEndpoint({
  path,
  since: 'v1',
  auth: 'required',
  operationId: 'listSessions',
  summary: 'List the sessions of a user',
  description:
    'The newest comes first. A user may list their own sessions, and staff those of everybody.',
  item: sessionSchema,
  isShort: true,
  async readPage({ params, services, call }, page) {
    const request = { username: params.username ?? '' }
    const { sessions } = await services.accounts.listSessions(request, call)
    return pageOf(sessions.map(sessionShape), ({ id }) => id, page)
  },
})

const endAll = endpoint({
  method: 'DELETE',
  path,
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'endSessions',
  summary: 'End all sessions of a user',
  description:
    'Every refresh token and browser session of the user ends. Access tokens remain valid until they expire. Users end their own sessions, staff those of everybody.',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.accounts.endSessions({ username: params.username ?? '' }, call)
    return noContent
  },
})

const endOne = endpoint({
  method: 'DELETE',
  path: `${path}:id/`,
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'endSession',
  summary: 'End a session of a user',
  description: 'A user may end their own sessions, and staff those of everybody.',
  responses: { 204: null },
  async handle({ params, services, call }) {
    const request = { username: params.username ?? '', id: params.id ?? '' }
    await services.accounts.endSessions(request, call)
    return noContent
  },
})

export const sessions: Endpoint[] = [listSessions, endAll, endOne]

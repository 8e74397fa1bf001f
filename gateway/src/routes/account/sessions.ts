import { z } from 'zod'
import { type Endpoint, endpoint, noContent, ok } from '../../endpoint.js'
import { sessionSchema, sessionShape } from '../../shapes/account.js'

const path = '/account/:username/sessions/'

const listSessions = endpoint({
  method: 'GET',
  path,
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'List the sessions of a user, newest first; for the user and for staff',
  responses: { 200: z.array(sessionSchema) },
  async handle({ params, services, call }) {
    const request = { username: params.username ?? '' }
    const { sessions } = await services.accounts.listSessions(request, call)
    return ok(sessions.map(sessionShape))
  },
})

const endAll = endpoint({
  method: 'DELETE',
  path,
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'End all sessions of a user; for the user and for staff',
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
  summary: 'End a session; for the user and for staff',
  responses: { 204: null },
  async handle({ params, services, call }) {
    const request = { username: params.username ?? '', id: params.id ?? '' }
    await services.accounts.endSessions(request, call)
    return noContent
  },
})

export const sessions: Endpoint[] = [listSessions, endAll, endOne]

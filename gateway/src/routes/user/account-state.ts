import type { AccountState } from '@figbase/proto/identity/accounts'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { closedBody } from '../body-members.js'

const stateSchema = z
  .object({
    username: z.string(),
    is_active: z.boolean(),
    is_staff: z.boolean(),
  })
  .meta({ id: 'AccountState', description: 'Whether a user may sign in, and is staff.' })

const stateShape = ({ username, isActive, isStaff }: AccountState) => ({
  username,
  is_active: isActive,
  is_staff: isStaff,
})

const setActive = (action: 'activate' | 'deactivate') =>
  endpoint({
    method: 'POST',
    path: `/user/:username/${action}/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${action}User`,
    summary: `${action === 'activate' ? 'Activate' : 'Deactivate'} an account`,
    description:
      'Only staff may do this. Nobody can sign in to a deactivated account, but its data is kept.',
    responses: { 200: stateSchema },
    errors: { 409: ['last_administrator'] },
    async handle({ params, services, call }) {
      const request = { username: params.username ?? '', isActive: action === 'activate' }
      const { state } = await services.accounts.setUserActive(request, call)
      return ok(stateShape(required(state)))
    },
  })

const setStaff = endpoint({
  method: 'POST',
  path: '/user/:username/staff/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'setStaffRole',
  summary: 'Grant or revoke the staff role',
  description: 'Only staff may do this.',
  body: closedBody({ is_staff: z.boolean('must be true or false') }, stateSchema),
  responses: { 200: stateSchema },
  errors: { 409: ['last_administrator'] },
  async handle({ params, body, services, call }) {
    const request = { username: params.username ?? '', isStaff: body.is_staff }
    const { state } = await services.accounts.setUserStaff(request, call)
    return ok(stateShape(required(state)))
  },
})

export const accountState: Endpoint[] = [setActive('activate'), setActive('deactivate'), setStaff]

import { AccountFilter } from '@figbase/proto/identity/accounts'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { accountSchema, accountShape } from '../../shapes/account.js'
import { clampLimit, limitHeader, limitQuery } from '../limit.js'

const filters = { active: AccountFilter.ACTIVE, inactive: AccountFilter.INACTIVE }
const sizes = { standard: 50, max: 100 }

const query = z.object({
  q: z
    .string()
    .max(254, 'must have at most 254 characters')
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .optional()
    .meta({ description: 'The beginning of the username, a name or the e-mail address.' }),
  state: z.enum(['active', 'inactive'], 'must be active or inactive').optional(),
  page_size: limitQuery(sizes),
  cursor: z
    .string()
    .regex(/^[\w-]{0,200}$/, 'invalid cursor')
    .optional()
    .meta({ description: '`next_cursor` of the previous page.' }),
})

export const listAccounts = endpoint({
  method: 'GET',
  path: '/account/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'listAccounts',
  summary: 'List the accounts',
  description: 'The accounts are ordered by username. Only staff may read them.',
  query,
  responses: {
    200: z.object({ items: z.array(accountSchema), next_cursor: z.string().nullable() }),
  },
  responseHeaders: ['X-Limit'],
  async handle({ query, services, call }) {
    const pageSize = clampLimit(query.page_size, sizes)
    const filter = query.state ? filters[query.state] : AccountFilter.UNSPECIFIED
    const { accounts, nextPageToken } = await services.accounts.listAccounts(
      { query: query.q ?? '', filter, pageSize, pageToken: query.cursor ?? '' },
      call,
    )
    const usernames = accounts.map(({ username }) => username)
    const { owned } = await services.people.listOwnedBytes({ usernames }, call)
    const bytes = new Map(owned.map((one) => [one.username, one.bytes]))
    const items = accounts.map((one) => accountShape(one, bytes.get(one.username) ?? 0n))
    return ok({ items, next_cursor: nextPageToken || null }, limitHeader(pageSize))
  },
})

import { AccountFilter } from '@figbase/proto/identity/accounts'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { accountSchema, accountShape } from '../../shapes/account.js'
import { clamped, limitHeader, limitQuery } from '../limit.js'

const filters = { active: AccountFilter.ACTIVE, inactive: AccountFilter.INACTIVE }
const sizes = { standard: 50, max: 100 }

const query = z.object({
  q: z
    .string()
    .max(254, 'may have at most 254 characters')
    .regex(/^\P{Cc}*$/u, 'may not contain control characters')
    .optional()
    .meta({ description: 'What the username, a name or the e-mail address begins with' }),
  state: z.enum(['active', 'inactive'], 'must be active or inactive').optional(),
  page_size: limitQuery,
  cursor: z
    .string()
    .regex(/^[\w-]{0,200}$/, 'is not a cursor of this list')
    .optional()
    .meta({ description: '`next_cursor` of the page before' }),
})

export const listAccounts = endpoint({
  method: 'GET',
  path: '/account/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'The accounts of this installation, by username; for staff',
  query,
  responses: {
    200: z.object({ items: z.array(accountSchema), next_cursor: z.string().nullable() }),
  },
  async handle({ query, services, call }) {
    const pageSize = clamped(query.page_size, sizes)
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

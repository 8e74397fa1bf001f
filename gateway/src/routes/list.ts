import { Code, ConnectError } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok, type Reply } from '../endpoint.js'
import { JsonArrayStream } from '../http/json/json-writer.js'
import { prefetchFirst } from '../http/prefetch-first.js'
import { type Fields, fieldsQuery, onlyFields } from './fields.js'
import { clampLimit, limitHeader, limitQuery } from './limit.js'
import { collect, iteratePages } from './pagination.js'

/** `pageSize` 0: as many as fit into one page. `pageToken` is empty for the first page. */
export type PageRequest = { pageSize: number; pageToken: string }

/** The token of the last page is empty. */
export type Page<Item = unknown> = { items: Item[]; nextPageToken: string }

const sizes = { standard: 100, max: 1000 }

const pageQuery = {
  page_size: limitQuery(sizes),
  cursor: z
    .string()
    .max(1000, 'must have at most 1000 characters')
    .optional()
    .meta({ description: '`next` of the page before. Without it, the first page.' }),
}

type ListInput<Query extends z.ZodRawShape> = Input<unknown, z.output<z.ZodObject<Query>>>

type DeclaredList<Query extends z.ZodRawShape> = Pick<
  Endpoint,
  'path' | 'since' | 'auth' | 'operationId' | 'summary' | 'description' | 'errors' | 'guard'
> & {
  query?: Query
  item: z.ZodType
  readPage(input: ListInput<Query>, request: PageRequest): Promise<Page>
  /** The answer without `page_size` and `cursor`, if it is not an array of all items. */
  whole?: {
    schema: z.ZodType
    /** Undefined for all items. */
    read(input: ListInput<Query>): Promise<Reply | undefined>
  }
  /** The list is short: the array is read before it is sent, and HEAD counts it. */
  isShort?: true
  /** The number of items, if that is cheap. */
  count?(input: ListInput<Query>): Promise<number>
}

/**
 * A list: an array of all items, or one page with `page_size` or `cursor`. A page begins after an item and not at a
 * number, so that new items do not move others to another page.
 */
export function listEndpoint<Query extends z.ZodRawShape = Record<never, never>>({
  query,
  item,
  readPage,
  whole,
  isShort,
  count,
  ...declared
}: DeclaredList<Query>): Endpoint {
  const array = whole?.schema ?? z.array(item)
  const page = pageSchema(item, declared.operationId)
  return endpoint({
    ...declared,
    method: 'GET',
    idempotent: true,
    query: z.object({ ...query, ...pageQuery, fields: fieldsQuery([item, array]) }),
    responses: { 200: z.union([array, page]) },
    responseHeaders: ['Link', 'X-Limit', ...(isShort || count ? ['X-Total-Count' as const] : [])],
    async handle(given) {
      // TypeScript does not see that the query has both the members of `query` and these.
      const input = given as unknown as ListInput<Query>
      const { page_size: size, cursor, fields } = given.query as unknown as OwnQuery
      if (size !== undefined || cursor !== undefined) {
        const request = { pageSize: clampLimit(size, sizes), pageToken: cursor ?? '' }
        return pageReply(input, request, await readPage(input, request).catch(asCursor), fields)
      }
      if (input.isHead && count) return counted(await count(input).catch(ifUnimplemented))
      const reply = await whole?.read(input)
      if (reply) return withFields(reply, fields)
      const all = iteratePages((pageToken) => readPage(input, { pageSize: 0, pageToken }))
      if (!isShort) return withFields(ok(new JsonArrayStream(await prefetchFirst(all))), fields)
      const items = await collect(all)
      return input.isHead ? counted(items.length) : withFields(ok(items), fields)
    },
  })
}

/** What the pages have in common, for the OpenAPI document. */
export const pageBase = z
  .object({ items: z.array(z.unknown()), next: z.string().nullable() })
  .meta({ id: 'Page', description: 'A page of a list.' })

const pages = new Map<string, z.ZodType>()

/** Lists with the same items have the same page. */
function pageSchema(item: z.ZodType, operationId: string) {
  const id = `${item.meta()?.id ?? operationId}Page`
  const known = pages.get(id)
  if (known) return known
  const description = 'A page of a list.'
  const page = pageBase.extend({ items: z.array(item) }).meta({ id, description, base: 'Page' })
  pages.set(id, page)
  return page
}

type OwnQuery = { page_size?: number; cursor?: string; fields?: Fields }

function pageReply(
  { url }: Pick<Input, 'url'>,
  { pageSize }: PageRequest,
  { items, nextPageToken }: Page,
  fields: Fields | undefined,
) {
  const body = { items: items.map((one) => onlyFields(one, fields)), next: nextPageToken || null }
  return ok(body, { ...limitHeader(pageSize), ...linkTo(url, nextPageToken) })
}

function withFields(reply: Reply, fields: Fields | undefined): Reply {
  if (!fields || !('body' in reply)) return reply
  const { body } = reply
  if (Array.isArray(body)) return { ...reply, body: body.map((one) => onlyFields(one, fields)) }
  if (!(body instanceof JsonArrayStream)) return reply
  return { ...reply, body: new JsonArrayStream(each(body.items, fields)) }
}

async function* each(items: AsyncIterable<unknown>, fields: Fields) {
  for await (const one of items) yield onlyFields(one, fields)
}

/** The response to a HEAD: like a GET, but nothing is read. */
const counted = (count: number | undefined): Reply =>
  ok(new JsonArrayStream(nothing()), count === undefined ? {} : { 'x-total-count': String(count) })

async function* nothing() {}

/** The service is older and cannot count. */
function ifUnimplemented(error: unknown): undefined {
  if (error instanceof ConnectError && error.code === Code.Unimplemented) return undefined
  throw error
}

/** Services speak of the page token, which is the cursor of the caller. */
function asCursor(error: unknown): never {
  const isToken =
    error instanceof ConnectError &&
    error.code === Code.InvalidArgument &&
    error.rawMessage.startsWith('page_token')
  throw isToken ? invalidCursor() : error
}

/** A cursor that no page of the list has as `next`. */
export const invalidCursor = (): Error => invalid('cursor', 'is not a cursor of this list')

/** The address of the next page, as `Link` (RFC 8288). */
function linkTo(url: string, cursor: string): Record<string, string> {
  if (!cursor) return {}
  const [path = '', query] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return { link: `<${path}?${parameters}>; rel="next"` }
}

/** A page of a list that a service returns whole. The cursor is the key of the last item of the page before. */
export function pageOf<Item>(
  items: Item[],
  keyOf: (item: Item) => string,
  { pageSize, pageToken }: PageRequest,
): Page<Item> {
  const isFirst = pageToken === ''
  const after = Buffer.from(pageToken, 'base64url').toString()
  const start = isFirst ? 0 : items.findIndex((item) => keyOf(item) === after) + 1
  if (!isFirst && start === 0) throw invalidCursor()
  const end = pageSize === 0 ? items.length : start + pageSize
  const last = items[end - 1]
  const hasMore = end < items.length && last !== undefined
  return {
    items: items.slice(start, end),
    nextPageToken: hasMore ? Buffer.from(keyOf(last)).toString('base64url') : '',
  }
}

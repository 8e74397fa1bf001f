import { type Figbase, FigbaseError, find, type Schemas } from '@figbase/client'
import type { Connection } from './connection.js'
import { notFound, usageError } from './failure.js'

export const kinds = [
  'revision',
  'figure',
  'analysis',
  'workspace',
  'asset',
  'asset_revision',
  'story',
] as const
export type Kind = (typeof kinds)[number]

export type Reference = { kind: Kind; api_id: string }

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const shortId = /^[\da-zA-Z]{9,16}$/
/** `/figure/ID/` of a page, and `/api/v1.4.1/figure/ID/`. */
const ofPage = /^(?:\/api\/v[\d.]+)?\/(\w+)\/([\w-]+)\/?$/

/** What a REF means: an api_id, a short id, a path of names, or the address of a page. */
export async function resolve(
  { figbase, workspace }: Connection,
  text: string,
): Promise<Reference> {
  if (/^https?:\/\//.test(text)) return inUrl(figbase, text)
  if (uuid.test(text)) return ofId(figbase, text)
  if (shortId.test(text)) {
    const found = await ofShortId(figbase, text)
    if (found) return found
  }
  const node = await find(figbase, toNames(text, workspace))
  if (!node) throw notFound(`${text} was not found`)
  return { kind: node.kind, api_id: node.api_id }
}

/** As `resolve`, for one of some kinds. */
export async function resolveKind<K extends Kind>(
  connection: Connection,
  text: string,
  wanted: readonly K[],
): Promise<Reference & { kind: K }> {
  const { kind, api_id } = await resolve(connection, text)
  const found = wanted.find((one) => one === kind)
  if (found !== undefined) return { kind: found, api_id }
  throw usageError(`${text} is ${kind}. This command needs ${wanted.join(' or ')}`)
}

/**
 * The names of a path. It begins in `workspace`, if there is one, unless it begins with a slash. A slash at the end, which
 * completion adds, does not count.
 */
export function toNames(path: string, workspace: string | undefined): string[] {
  const names = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  const all = workspace === undefined || path.startsWith('/') ? names : [workspace, ...names]
  if (all.length <= 3 && all.every((name) => name.trim() !== '')) return all
  throw usageError(`${path} is not workspace/analysis/figure, nor the beginning of that`)
}

/** Whether it is the id or the address of something that exists. */
export const isIdOrUrl = (text: string): boolean => uuid.test(text) || /^https?:\/\//.test(text)
export const isId = (text: string): boolean => uuid.test(text)

/** The path of an address below that of the server. Throws a usage error for addresses of other servers. */
export function pathOf(figbase: Figbase, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const base = new URL(figbase.url)
  const path = base.pathname.replace(/\/$/, '')
  if (url?.origin === base.origin && url.pathname.startsWith(path)) {
    return url.pathname.slice(path.length)
  }
  throw usageError(`${text} is not an address of ${figbase.url}`)
}

async function inUrl(figbase: Figbase, text: string): Promise<Reference> {
  const [, segment, id = ''] = ofPage.exec(pathOf(figbase, text)) ?? []
  const kind = segment === 'r' ? 'revision' : kinds.find((one) => one === segment)
  if (!kind) throw usageError(`${text} is not the page of an object`)
  if (uuid.test(id)) return { kind, api_id: id }
  const found = kind === 'revision' ? await ofShortId(figbase, id) : undefined
  if (found) return found
  throw notFound(`${text} was not found`)
}

/** Asks for all kinds in one request. */
async function ofId(figbase: Figbase, id: string): Promise<Reference> {
  const requests = kinds.map((kind) => ({ path: `${kind}/${id}/?fields=api_id` }))
  const { responses } = await figbase.post('/batch/', { body: { requests } })
  const at = responses.findIndex(({ status }) => status === 200)
  const kind = kinds[at]
  if (kind) return { kind, api_id: id }
  throw (
    responses.map(refusal).find((error) => error !== undefined) ?? notFound(`${id} was not found`)
  )
}

/** That the object is hidden, or that the server failed, says more than that it is not another kind. */
function refusal({ status, body }: Schemas['BatchResponse']): FigbaseError | undefined {
  if (status === 404) return undefined
  const { error, detail } = (body ?? {}) as { error?: string; detail?: string }
  return new FigbaseError({ status, error: error ?? 'invalid_response', detail })
}

async function ofShortId(figbase: Figbase, id: string): Promise<Reference | undefined> {
  try {
    const query = { fields: 'api_id' }
    const { api_id } = await figbase.get('/revision/{id}/', { path: { id }, query })
    return { kind: 'revision', api_id }
  } catch (error) {
    if (error instanceof FigbaseError && error.status === 404) return undefined
    throw error
  }
}

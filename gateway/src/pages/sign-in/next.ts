import { z } from 'zod'
import type { Input } from '../../endpoint.js'

const pathCharsMax = 2000
export const signInPath = '/sign-in/'
/** Where a sign-in without another target leads. */
export const homePath = '/'

/** Returns a path of this site unchanged, and the start page for anything else (no open redirects). */
export function pathOf(text: string | undefined): string {
  return text !== undefined && isPath(text) ? text : homePath
}

/** Browsers take `//` and `/\` for the start of a host, and strip control characters before that. */
const isPath = (text: string) =>
  text.length <= pathCharsMax && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\')

/** The address of the sign-in page that redirects to `path` afterwards. */
export function signInFor(path: string): string {
  const next = pathOf(path)
  return next.startsWith(signInPath) ? signInPath : `${signInPath}?next=${encodeURIComponent(next)}`
}

/** The query of the pages that redirect afterwards. */
export const nextQuery = { query: z.object({ next: z.string().optional() }) }

export const nextIn = ({ query }: Input): string | undefined => (query as { next?: string }).next

import type { Html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Input } from '../endpoint.js'
import { pageOf } from '../routes/list.js'
import { nextLink } from './next-link.js'

const cursor = z.string().max(1000).optional()

/** Where the lists of a page with several lists begin. */
export const partsQuery = { data: cursor, linked: cursor, comments: cursor }

/** The items of a list to show, and the link to the next ones. */
export function partOf<T>(
  input: Input,
  name: 'data' | 'linked',
  all: T[],
  idOf: (item: T) => string,
): { shown: T[]; next: Html } {
  const { [name]: pageToken = '' } = input.query as { data?: string; linked?: string }
  const page = { pageSize: input.cfg.pageItemsMax, pageToken }
  const { items, nextPageToken } = pageOf(all, idOf, page)
  return { shown: items, next: nextLink(input, nextPageToken, {}, name) }
}

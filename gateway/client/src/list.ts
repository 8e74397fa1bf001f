import { type Figbase, readJson } from './figbase.js'
import type { AnyInit, InitOf, ItemOf, ListPath } from './types.js'
import { fillPath } from './urls.js'

type Page<P> = { items: ItemOf<P>[]; next: string | null }

export type ListInit<P extends ListPath> = Omit<InitOf<P, 'get'>, 'idempotencyKey'> & {
  /** Items of each page; default 100, at most 1000. */
  pageSize?: number
}

/**
 * Reads all items of a list, page by page. What is created meanwhile moves no other item: each is there once.
 *
 * for await (const figure of list(figbase, '/figure/')) …
 */
export async function* list<P extends ListPath>(
  figbase: Figbase,
  path: P,
  init?: ListInit<P>,
): AsyncGenerator<ItemOf<P>, void> {
  const { path: values, query, headers, signal, timeoutMs, retriesMax } = (init ?? {}) as AnyInit
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = (await figbase.send(
      {
        method: 'GET',
        path: fillPath(path, values),
        query: { ...query, page_size: init?.pageSize ?? 100, cursor },
        ...{ headers, signal, timeoutMs, retriesMax },
      },
      readJson,
    )) as Page<P>
    yield* page.items
    cursor = page.next
  }
}

/** How many items a list has; undefined for revisions, comments and logs, which are not counted. */
export async function count<P extends ListPath>(
  figbase: Figbase,
  path: P,
  init?: ListInit<P>,
): Promise<number | undefined> {
  const { path: values, query, signal, timeoutMs } = (init ?? {}) as AnyInit
  return figbase.send(
    { method: 'HEAD', path: fillPath(path, values), query, signal, timeoutMs },
    async ({ headers }) => {
      const total = headers.get('x-total-count')
      return total === null ? undefined : Number(total)
    },
  )
}

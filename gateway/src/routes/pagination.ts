type Page<T> = { items: T[]; nextPageToken: string }

/** Reads one page; the token of the first page is empty. */
type ReadPage<T> = (pageToken: string) => Promise<Page<T>>

/** Iterates over the items of all pages; reads pages on demand. `first`: the first page, if it is known. */
export async function* iteratePages<T>(read: ReadPage<T>, first?: Page<T>): AsyncGenerator<T> {
  let page = first ?? (await read(''))
  yield* page.items
  while (page.nextPageToken) {
    page = await read(page.nextPageToken)
    yield* page.items
  }
}

/** Collects the items of all pages; only for lists of bounded size. `first`: the first page, if it is known. */
export async function collectPages<T>(read: ReadPage<T>, first?: Page<T>): Promise<T[]> {
  let page = first ?? (await read(''))
  const all = [page.items]
  while (page.nextPageToken) {
    page = await read(page.nextPageToken)
    all.push(page.items)
  }
  return all.flat()
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

type Page<T> = { items: T[]; nextPageToken: string }

/** Answers one page and the token of the next; the first page has an empty token. */
type ReadPage<T> = (pageToken: string) => Promise<Page<T>>

/** The items of all pages, read as they are asked for. */
export async function* pages<T>(read: ReadPage<T>): AsyncGenerator<T> {
  let pageToken = ''
  do {
    const page = await read(pageToken)
    yield* page.items
    pageToken = page.nextPageToken
  } while (pageToken)
}

/** For what is bounded when it is written: the children of one object. `first`: the first page, where it is known. */
export async function allPages<T>(read: ReadPage<T>, first?: Page<T>): Promise<T[]> {
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

/** Fetches the first item at once, so that an error comes before the answer has begun. */
export async function begun<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = items[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}

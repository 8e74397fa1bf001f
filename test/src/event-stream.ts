import { contractOf } from './contract.js'
import { deployment, LATEST } from './deployment.js'

export interface StreamEvent {
  id: string
  event: string
  data: Record<string, unknown>
}

/** An open stream of `events/`. */
export interface EventStream extends AsyncDisposable {
  response: Response
  /** All events so far, including the first (`begun`). */
  seen: StreamEvent[]
  /** Waits for the first event that matches, including events already received; throws after `ms`. */
  until(fits: (event: StreamEvent) => boolean, ms?: number): Promise<StreamEvent>
  /** Resolves when the stream has ended. */
  ended: Promise<void>
}

export interface StreamOptions {
  authorization?: string | undefined
  after?: string
}

export async function openEvents({ authorization, after }: StreamOptions): Promise<EventStream> {
  const disconnect = new AbortController()
  const response = await fetch(new URL(`/api/${LATEST}/events/`, deployment.origin), {
    headers: {
      'accept-encoding': 'gzip',
      ...(authorization && { authorization }),
      ...(after !== undefined && { 'last-event-id': after }),
    },
    signal: disconnect.signal,
  })
  const contract = await contractOf(LATEST)
  const seen: StreamEvent[] = []
  const waiting = new Set<() => void>()
  const ended = read(response, (event) => {
    seen.push(event)
    for (const look of waiting) look()
  })
  return {
    response,
    seen,
    ended,
    until: (fits, ms = 10_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`no matching event: ${JSON.stringify(seen, null, 1)}`))
        }, ms)
        const look = () => {
          const found = seen.find(fits)
          if (!found) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      disconnect.abort()
      await ended
      for (const event of seen) contract.checkEvent('GET', `/api/${LATEST}/events/`, event)
    },
  }
}

async function read(response: Response, found: (event: StreamEvent) => void) {
  if (!response.ok) return
  try {
    for await (const event of eventsOf(response)) found(event)
  } catch {
    // Disconnected by the test or by the server.
  }
}

/** The events of a response, as they arrive. */
export async function* eventsOf({ body }: Response): AsyncGenerator<StreamEvent, undefined> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    yield* blocks.flatMap(parse)
  }
  return undefined
}

function parse(block: string): StreamEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return []
  return [{ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) }]
}

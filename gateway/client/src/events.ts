import { EventSourceParserStream } from 'eventsource-parser/stream'
import { backoffMs, delay } from './delay.js'
import type { Figbase } from './figbase.js'
import { FigbaseError } from './figbase-error.js'
import { linkedController } from './linked-controller.js'
import { partsOf } from './stream-parts.js'
import type { Schemas } from './types.js'

export type LiveEvent = Schemas['LiveEvent']

export type EventsInit = {
  /** The id of the last event that is known: those that were missed come first. */
  after?: string | undefined
  signal?: AbortSignal | undefined
}

/** Figbase sends something at least this often. */
const silenceMsMax = 60_000

/**
 * What happens in the workspaces of the caller, and to the caller's tasks. A connection that breaks is opened again, and
 * what was missed comes first. Ends only with a permanent error (a 4xx), or with the reason of `signal`.
 */
export async function* events(figbase: Figbase, { after, signal }: EventsInit = {}) {
  let last = after
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const event of connect(figbase, last, signal)) {
        attempt = 0
        if (event.id !== '') last = event.id
        yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (isFinal(error)) throw error
    }
    await delay(backoffMs(Math.max(1, attempt)), signal)
  }
}

/** `send` has repeated what may be repeated; a stream that breaks off has another error. */
const isFinal = (error: unknown) =>
  error instanceof FigbaseError && error.status >= 400 && error.status < 500 && error.status !== 429

async function* connect(
  figbase: Figbase,
  after: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent, void> {
  const { controller: closing, release } = linkedController(signal)
  const watch = new SilenceWatch(() => closing.abort())
  try {
    const body = await figbase.send(
      {
        method: 'GET',
        path: '/events/',
        headers: {
          accept: 'text/event-stream',
          ...(after !== undefined && { 'last-event-id': after }),
        },
        signal: closing.signal,
      },
      async (response) => response.body,
    )
    if (!body) return
    const messages = body
      .pipeThrough(watch.stream)
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
    for await (const { id = '', event = '', data } of partsOf(messages, {
      signal: closing.signal,
    })) {
      yield { id, event, data: JSON.parse(data) } as LiveEvent
    }
  } finally {
    watch[Symbol.dispose]()
    closing.abort()
    release()
  }
}

/** Calls `onSilence` when nothing passed for too long: a connection can be lost without a word. */
class SilenceWatch {
  readonly #onSilence: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly stream: TransformStream<Uint8Array, Uint8Array>

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence
    this.stream = new TransformStream({
      start: () => this.#restart(),
      transform: (part, controller) => {
        this.#restart()
        controller.enqueue(part)
      },
    })
  }

  #restart() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onSilence, silenceMsMax)
  }

  [Symbol.dispose]() {
    clearTimeout(this.#timer)
  }
}

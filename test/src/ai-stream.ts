import assert from 'node:assert/strict'
import type { Client } from './client.js'
import { contractOf } from './contract.js'
import { deployment, LATEST } from './deployment.js'
import { eventsOf, type StreamEvent } from './server-sent-events.js'

/** A streamed answer of Deep Insight, which is read event by event. */
export interface AnswerStream {
  /** The next event; undefined at the end. */
  next(): Promise<StreamEvent | undefined>
  /** All further events. */
  rest(): Promise<StreamEvent[]>
}

export async function openAnswer(
  me: Client,
  route: string,
  body: object,
  signal?: AbortSignal,
): Promise<AnswerStream> {
  const url = new URL(`/api/${LATEST}/deep_insight/${route}/`, deployment.origin)
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: me.authorization ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
    ...(signal && { signal }),
  })
  assert.equal(response.status, 200)
  const contract = await contractOf(LATEST)
  const events = checkedEvents()
  return {
    next: async () => (await events.next()).value,
    async rest() {
      const all: StreamEvent[] = []
      for await (const event of events) all.push(event)
      return all
    },
  }

  async function* checkedEvents(): AsyncGenerator<StreamEvent, undefined> {
    for await (const received of eventsOf(response)) {
      const { event, data } = received
      contract.checkEvent('POST', url.pathname, { event, data })
      yield received
    }
  }
}

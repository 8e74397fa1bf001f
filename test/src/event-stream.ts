import assert from 'node:assert/strict'
import { events, type Figbase, type LiveEvent } from '@figbase/client'
import { contractOf } from './contract.js'
import { LATEST } from './deployment.js'

/** The events of a user from now on, which the client receives in the background. */
export interface Followed extends AsyncDisposable {
  /** All events so far, including the first (`begun`). */
  seen: LiveEvent[]
  /** Waits for the first event that matches, including events already received; throws after `ms`. */
  until<E extends LiveEvent>(fits: (event: LiveEvent) => event is E, ms?: number): Promise<E>
  until(fits: (event: LiveEvent) => boolean, ms?: number): Promise<LiveEvent>
}

const waitMsMax = 10_000

type Activity = Extract<LiveEvent, { event: 'activity' }>

export const isAbout =
  (id: string, action = 'create') =>
  (one: LiveEvent): one is Activity =>
    one.event === 'activity' && one.data.target_id === id && one.data.action === action

/** Resolves with the first event. `after`: the id of the last known event. */
export async function follow(figbase: Figbase, after?: string): Promise<Followed> {
  const stop = new AbortController()
  const seen: LiveEvent[] = []
  const waiting = new Set<() => void>()
  const received = events(figbase, { after, signal: stop.signal })
  const late = setTimeout(() => stop.abort(new Error('no stream of events')), waitMsMax)
  const { value: first } = await received.next().finally(() => clearTimeout(late))
  if (first) seen.push(first)
  const following = receive()
  async function receive() {
    try {
      for await (const event of received) {
        seen.push(event)
        for (const look of waiting) look()
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  }
  return {
    seen,
    until: (fits: (event: LiveEvent) => boolean, ms = waitMsMax) =>
      new Promise<never>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`no matching event: ${JSON.stringify(seen, null, 1)}`))
        }, ms)
        const look = () => {
          const found = seen.find(fits)
          if (!found) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found as never)
        }
        waiting.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await following
      const begun = seen.filter(({ event }) => event === 'begun')
      assert.equal(begun.length, 1, 'the connection should not break')
      const contract = await contractOf(LATEST)
      for (const event of seen) contract.checkEvent('GET', `/api/${LATEST}/events/`, event)
    },
  }
}

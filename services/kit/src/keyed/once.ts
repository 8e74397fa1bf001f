import type { HandlerContext } from '@connectrpc/connect'
import type { Executor } from '../db/statement.js'
import { keyedRequest } from '../rpc/call.js'
import { findResult } from './results.js'

// The types of requests and responses are those of the handler.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Handler = (req: any, call: HandlerContext) => any

/**
 * A handler whose effect happens once for each keyed request: a repetition gets the response that the handler recorded
 * with its effect (`Kit.record`). `restore` makes a response of a record that is not complete. Calls without a key
 * cost nothing more.
 */
export function once<H extends Handler>(
  { db }: { db: Executor },
  handler: H,
  restore: (
    recorded: Awaited<ReturnType<H>>,
    req: Parameters<H>[0],
    call: HandlerContext,
  ) => ReturnType<H> | Awaited<ReturnType<H>> = (recorded) => recorded,
): H {
  const repeated: Handler = async (req, call) => {
    const earlier = await findResult(db, call)
    if (earlier) {
      if (isStream(req)) await drain(req)
      return restore(earlier as Awaited<ReturnType<H>>, req, call)
    }
    try {
      return await handler(req, call)
    } catch (error) {
      // Another attempt may have had the effect meanwhile: then this one failed because of it.
      const recorded = await findResult(db, call).catch(() => undefined)
      if (!recorded) throw error
      return restore(recorded as Awaited<ReturnType<H>>, req, call)
    }
  }
  const whole: Handler = (req, call) => (keyedRequest(call) ? repeated : handler)(req, call)
  return whole as H
}

const isStream = (req: object): req is AsyncIterable<unknown> => Symbol.asyncIterator in req

async function drain(messages: AsyncIterable<unknown>) {
  for await (const _ of messages);
}

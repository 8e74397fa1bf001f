import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestServed } from '@figbase/kit'
import { type NameRequest, statusOf } from './request-name.js'
import type { Find } from './router.js'

/** Measures a request from now to the last byte of its answer. */
export type Measure = (req: IncomingMessage, res: ServerResponse, match: ReturnType<Find>) => void

/** Tells of each request under the route that it took; all that took none share one. */
export function measuring(nameOf: NameRequest, served: RequestServed): Measure {
  return (req, res, match) => {
    const started = performance.now()
    const { method, route } = nameOf(req, match)
    res.once('close', () => served(method, route, statusOf(res), performance.now() - started))
  }
}

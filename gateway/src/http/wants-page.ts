import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'

const page = 'text/html'
const types = ['application/json', 'application/problem+json', page]

/** Whether `Accept` prefers an HTML page to JSON, as browsers do. */
export const wantsPage = ({ accept }: IncomingHttpHeaders): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(types) === page

import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import type { ErrorAnswer } from './errors.js'

const accepted = /(?:^|,)\s*application\/problem\+json\s*(?:;\s*q=([\d.]+)\s*)?(?:,|;|$)/i

/** Whether `Accept` names problem details (RFC 9457). */
export function wantsProblem({ accept }: IncomingHttpHeaders): boolean {
  const match = accept && accepted.exec(accept)
  return !!match && Number(match[1] ?? 1) > 0
}

/** An error as problem details: its members, and those of RFC 9457. `error` names the kind of the problem. */
export function problemOf({ status, headers, body }: ErrorAnswer) {
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, ...body }
  return {
    status,
    headers: { ...headers, vary: 'Accept, Accept-Encoding' },
    type: 'application/problem+json',
    text: JSON.stringify(problem),
  }
}

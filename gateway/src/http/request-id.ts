import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The id that the client gave, or a new one. */
export function requestIdOf({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config.js'
import { readCookie } from './cookies.js'

/** The name of the hidden input with the token. */
export const formTokenName = 'form_token'

type Request = { headers: IncomingHttpHeaders; cfg: Config }

/** Only pages of the session know it, and it does not reveal the session; empty without one. */
export function formTokenOf({ headers, cfg }: Request): string {
  const session = readCookie(headers, 'session', cfg)
  return session ? createHmac('sha256', session).update(formTokenName).digest('base64url') : ''
}

export function isFormToken(request: Request, sent: string | undefined): boolean {
  const expected = Buffer.from(formTokenOf(request))
  const actual = Buffer.from(sent ?? '')
  return (
    expected.length > 0 && actual.length === expected.length && timingSafeEqual(actual, expected)
  )
}

import type { IncomingHttpHeaders } from 'node:http'
import { basePathOf, type NotebookOrigin } from './origin.js'

type Scope = Pick<NotebookOrigin, 'isSecure' | 'isPerInstance'>

/** On a host of its own over HTTPS, the prefix makes browsers reject the cookie from any other host. */
const nameOf = ({ isSecure, isPerInstance }: Scope) =>
  `${isSecure && isPerInstance ? '__Host-' : ''}figbase-notebook`

/** The `Set-Cookie` value, for one instance only. It ends with the browser. */
export function cookieFor(origin: Scope, instanceId: string, token: string): string {
  const path = origin.isPerInstance ? '/' : basePathOf(instanceId)
  const attributes = [`Path=${path}`, 'HttpOnly', 'SameSite=Lax']
  if (origin.isSecure) attributes.push('Secure')
  return [`${nameOf(origin)}=${token}`, ...attributes].join('; ')
}

/** All values of the cookie: a page of a notebook can add others of this name, which are not valid. */
export function cookiesOf({ cookie = '' }: IncomingHttpHeaders, origin: Scope): string[] {
  const begin = `${nameOf(origin)}=`
  return cookie
    .split(/; */)
    .filter((one) => one.startsWith(begin))
    .map((one) => one.slice(begin.length))
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config.js'

/** What a browser keeps for this site: who is signed in, and a sign-in that is under way. */
export type CookieName = 'session' | 'sign-in'

/** Where people come by https, the browser itself sees to it that no other host can set the cookie. */
const fullName = (name: CookieName, isSecure: boolean) =>
  `${isSecure ? '__Host-' : ''}figbase-${name}`

const isSecure = ({ publicUrl }: Config) => publicUrl.startsWith('https:')

/** Its value; undefined when the browser did not send one. */
export function readCookie(
  { cookie = '' }: IncomingHttpHeaders,
  name: CookieName,
  cfg: Config,
): string | undefined {
  const begin = `${fullName(name, isSecure(cfg))}=`
  const found = cookie.split(/; */).find((one) => one.startsWith(begin))
  return found?.slice(begin.length)
}

/** The `Set-Cookie` for a value of letters, digits and `-_.`; without one the cookie is removed. */
export function cookie(name: CookieName, cfg: Config, value = '', lifeSeconds = 0): string {
  const secure = isSecure(cfg)
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${lifeSeconds}`]
  if (secure) attributes.push('Secure')
  return [`${fullName(name, secure)}=${value}`, ...attributes].join('; ')
}

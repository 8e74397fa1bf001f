import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config.js'

/** `session`: the signed-in session. `sign-in`: a sign-in under way with an identity provider. */
export type CookieName = 'session' | 'sign-in'

/** With HTTPS, the `__Host-` prefix makes the browser reject the cookie from any other host. */
const fullName = (name: CookieName, isSecure: boolean) =>
  `${isSecure ? '__Host-' : ''}figbase-${name}`

const isSecure = ({ publicUrl }: Config) => publicUrl.startsWith('https:')

/** The value of a cookie; undefined if the browser did not send it. */
export function readCookie(
  { cookie = '' }: IncomingHttpHeaders,
  name: CookieName,
  cfg: Config,
): string | undefined {
  const begin = `${fullName(name, isSecure(cfg))}=`
  const found = cookie.split(/; */).find((one) => one.startsWith(begin))
  return found?.slice(begin.length)
}

/** The `Set-Cookie` value; `value` may contain letters, digits and `-_.`. Without one, the cookie is removed. */
export function cookie(name: CookieName, cfg: Config, value = '', lifeSeconds = 0): string {
  const secure = isSecure(cfg)
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${lifeSeconds}`]
  if (secure) attributes.push('Secure')
  return [`${fullName(name, secure)}=${value}`, ...attributes].join('; ')
}

/** The version of the API that the types describe. */
export const apiVersion = 'v1.4.1'

export type QueryValue = string | number | boolean | null | undefined

/**
 * The URL of a path below the version of the API (`/figure/`), of one that begins with `/api/`, or of a full URL. Throws a
 * TypeError for a URL of another server, which must not get the credentials.
 */
export function urlOf(base: string, path: string, query: Record<string, QueryValue> = {}): URL {
  const url = new URL(/^https?:/.test(path) ? path : base + prefixOf(path) + path)
  if (url.origin !== new URL(base).origin) throw new TypeError(`${url.origin} is not the server`)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
  return url
}

const prefixOf = (path: string) => (path.startsWith('/api/') ? '' : `/api/${apiVersion}`)

/** Throws a TypeError unless it is an address of HTTP. */
export function baseOf(url: string): string {
  const { protocol, origin, pathname, username } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new TypeError('url must begin with http:// or https://')
  if (username !== '') throw new TypeError('url must not contain a username')
  return origin + pathname.replace(/\/+$/, '')
}

/** Puts values into the braces of a path: `/figure/{id}/`. Throws a TypeError if one is missing. */
export const fillPath = (path: string, values: Record<string, string | number> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === '') throw new TypeError(`path needs ${name}`)
    return encodeURIComponent(value)
  })

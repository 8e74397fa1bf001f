import { isUuid } from '@figbase/kit/ids'

/** The origin, or the origins, at which notebooks are opened. */
export type NotebookOrigin = {
  isSecure: boolean
  /** Each instance has a host of its own, so scripts of one cannot act on another. */
  isPerInstance: boolean
  /** The origin of an instance, as browsers send it. */
  of(instanceId: string): string
  /** Its host, with a port that is not the default one. */
  hostOf(instanceId: string): string
}

const anyLabel = '*'

/** Parses `https://notebooks.example.org` or `https://*.example.org`; undefined if it is neither. */
export function notebookOrigin(text: string): NotebookOrigin | undefined {
  if (!/^https?:\/\/[^/?#@]+\/*$/.test(text) || !URL.canParse(text)) return undefined
  const { protocol, host } = new URL(text)
  const isPerInstance = host.startsWith(`${anyLabel}.`)
  const rest = isPerInstance ? host.slice(1) : host
  if (rest.includes(anyLabel) || rest === '.') return undefined
  const hostOf = (instanceId: string) => (isPerInstance ? `${instanceId}${rest}` : rest)
  return {
    isSecure: protocol === 'https:',
    isPerInstance,
    hostOf,
    of: (instanceId) => `${protocol}//${hostOf(instanceId)}`,
  }
}

/** The default: browsers find every name below `localhost` on their own machine, as RFC 6761 says. */
export function localOrigin(port: number): NotebookOrigin {
  const origin = notebookOrigin(`http://*.localhost:${port}`)
  if (!origin) throw new Error('the local origin is not valid')
  return origin
}

export const basePathOf = (instanceId: string): string => `/instance/${instanceId}/`

const pattern = /^\/instance\/([^/?#]{36})\//

/** The instance that a path belongs to; undefined if it belongs to none. */
export function instanceOf(path: string): string | undefined {
  const id = pattern.exec(path)?.[1] ?? ''
  return isUuid(id) ? id.toLowerCase() : undefined
}

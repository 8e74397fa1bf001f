import { invalid } from '@figbase/kit/errors'
import type { Input } from '../endpoint.js'

/** The origin at which the caller reaches this site: `PUBLIC_URL`, or else that of the request. */
export function siteOriginOf({ cfg, headers }: Input): string {
  if (cfg.publicUrl) return cfg.publicUrl
  const site = `http://${headers.host ?? ''}`
  if (!URL.canParse(site)) throw invalid('Host', 'is not valid')
  return new URL(site).origin
}

import type { Client } from '@connectrpc/connect'
import type { GetPublicSettingsResponse, SiteService } from '@figbase/proto/identity/site'
import type { Logger } from '../log.js'
import { actAsSystem } from './call.js'

/** What pages and mails show of the settings of the site. */
export type Site = { name: string; announcement: string }
export type ReadSite = () => Site | Promise<Site>

type Shown = Pick<GetPublicSettingsResponse, 'siteName' | 'announcement'>

export const toSite = ({ siteName, announcement }: Shown): Site => ({
  name: siteName || 'Figbase',
  announcement,
})

const freshMs = 1000
const timeoutMs = 5000

/**
 * Asks identity once a second at most, however many pages and mails are made; while it is unavailable, what
 * was known before stands.
 */
export function createSiteReader(
  identity: Pick<Client<typeof SiteService>, 'getPublicSettings'>,
  log: Pick<Logger, 'warn'>,
  now = () => performance.now(),
): ReadSite {
  let known = toSite({ siteName: '', announcement: '' })
  let freshUntil = Number.NEGATIVE_INFINITY
  let asked: Promise<Site> | undefined
  const ask = async () => {
    try {
      known = toSite(await identity.getPublicSettings({}, { ...actAsSystem(), timeoutMs }))
    } catch (err) {
      log.warn({ err }, 'settings of the site not read: pages and mails show what was known before')
    }
    freshUntil = now() + freshMs
    asked = undefined
    return known
  }
  return () => {
    if (now() < freshUntil) return known
    asked ??= ask()
    return asked
  }
}

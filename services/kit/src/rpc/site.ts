import type { Client } from '@connectrpc/connect'
import type { GetPublicSettingsResponse, SiteService } from '@figbase/proto/identity/site'
import type { Logger } from '../log.js'
import { actAsSystem } from './call.js'

/** The site settings that pages and mails show. */
export type Site = { name: string; announcement: string }
type PublicSite = Site & { isAiEnabled: boolean }
export type ReadSite = () => PublicSite | Promise<PublicSite>

type PublicSettings = Pick<GetPublicSettingsResponse, 'siteName' | 'announcement'>

export const toSite = ({ siteName, announcement }: PublicSettings): Site => ({
  name: siteName || 'Figbase',
  announcement,
})

const freshMs = 1000
const timeoutMs = 5000

/**
 * Reads the site settings from identity, cached for a second; while identity is unavailable, the last known settings
 * are returned.
 */
export function createSiteReader(
  identity: Pick<Client<typeof SiteService>, 'getPublicSettings'>,
  log: Pick<Logger, 'warn'>,
  now = () => performance.now(),
): ReadSite {
  let known = { ...toSite({ siteName: '', announcement: '' }), isAiEnabled: false }
  let freshUntil = Number.NEGATIVE_INFINITY
  let pending: Promise<PublicSite> | undefined
  const read = async () => {
    try {
      const settings = await identity.getPublicSettings({}, { ...actAsSystem(), timeoutMs })
      known = { ...toSite(settings), isAiEnabled: settings.aiEnabled }
    } catch (err) {
      log.warn({ err }, 'reading the site settings failed; using the last known ones')
    }
    freshUntil = now() + freshMs
    pending = undefined
    return known
  }
  return () => {
    if (now() < freshUntil) return known
    pending ??= read()
    return pending
  }
}

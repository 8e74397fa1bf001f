import { actAsSystem, type Logger } from '@figbase/kit'
import type { Services } from './endpoint.js'

/** What pages show of the settings of the site. */
export type Site = { name: string; announcement: string }

const freshMs = 1000
const timeoutMs = 5000
const unknown: Site = { name: 'Figbase', announcement: '' }

/**
 * Asks identity once a second at most, however many pages are shown; while it is unavailable, what was known
 * before stands.
 */
export function createSiteReader({ site }: Pick<Services, 'site'>, log: Logger) {
  let known = unknown
  let freshUntil = 0
  let asked: Promise<Site> | undefined
  const ask = async () => {
    try {
      const { siteName, announcement } = await site.getPublicSettings(
        {},
        { ...actAsSystem(), timeoutMs },
      )
      known = { name: siteName || unknown.name, announcement }
    } catch (err) {
      log.warn({ err }, 'pages show the settings of the site as they were')
    }
    freshUntil = performance.now() + freshMs
    asked = undefined
    return known
  }
  return (): Site | Promise<Site> => {
    if (performance.now() < freshUntil) return known
    asked ??= ask()
    return asked
  }
}

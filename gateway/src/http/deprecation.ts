import type { EnvReader } from '@figbase/kit/config'
import { isVersion, versions } from '../versions.js'

/** The headers of each response of a deprecated version, by version. */
export type Deprecations = ReadonlyMap<string, Record<string, string>>

const datePattern = /^\d{4}-\d{2}-\d{2}$/

/** `Deprecation` (RFC 9745), and `Sunset` (RFC 8594) if the version has an end. */
export function readDeprecations(env: EnvReader): Deprecations {
  const name = 'DEPRECATED_VERSIONS'
  const text = env.text(
    name,
    '',
    'versions of the API that will end, with the day of their deprecation and optionally of their end, for example `v1=2027-01-01/2028-01-01,v1.1=2027-01-01`; clients get the headers `Deprecation` and `Sunset`, and the versions still work',
  )
  const found = new Map<string, Record<string, string>>()
  for (const entry of text.split(',').filter(Boolean)) {
    const [version = '', days = ''] = entry.trim().split('=')
    const [deprecatedOn, endsOn] = days.split('/').map(parseDay)
    if (!isVersion(version) || !deprecatedOn || (days.includes('/') && !endsOn)) {
      env.problems.push(
        `${name}: must be a list of version=YYYY-MM-DD or version=YYYY-MM-DD/YYYY-MM-DD, with versions of ${versions.join(', ')}`,
      )
      continue
    }
    found.set(version, {
      deprecation: `@${deprecatedOn.getTime() / 1000}`,
      ...(endsOn && { sunset: endsOn.toUTCString() }),
      link: '</docs/versions>; rel="deprecation"; type="text/html"',
    })
  }
  return found
}

function parseDay(text: string): Date | undefined {
  const day = new Date(text)
  return datePattern.test(text) && !Number.isNaN(day.getTime()) ? day : undefined
}

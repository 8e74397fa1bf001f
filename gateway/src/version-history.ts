import type { Endpoint } from './endpoint.js'
import { type DifferenceEntry, differences, type Version, versions } from './versions.js'

/** A route or a member of bodies, and what changed about it. */
export type VersionChange = { route: string; change: string } | { member: string; change: string }
export type VersionEntry = {
  version: Version
  /** The release of Figbase that has this version first. */
  since: string
  changes: VersionChange[]
}

/** All versions are as old as Figbase. */
const firstRelease = '0.1.0'

/**
 * What each version of the API added or changed, oldest first: the differences that the code asks for, and the routes,
 * by the version that each was added with. The first version is where the others begin.
 */
export const versionHistory = (endpoints: Endpoint[]): VersionEntry[] =>
  versions.map((version, index) => ({
    version,
    since: firstRelease,
    changes: index === 0 ? [] : [...changedIn(version), ...endpoints.flatMap(addedIn(version))],
  }))

const changedIn = (version: Version): VersionChange[] =>
  Object.values<DifferenceEntry>(differences)
    .filter(({ since }) => since === version)
    .flatMap((entry): VersionChange[] => {
      const { change } = entry
      if ('route' in entry) return [{ route: entry.route, change }]
      return entry.members.map((member) => ({ member, change }))
    })

const addedIn = (version: Version) => (endpoint: Endpoint) =>
  endpoint.since === version
    ? [{ route: routeOf(endpoint), change: `added: ${firstSentence(endpoint.summary)}` }]
    : []

const routeOf = ({ method, path }: Endpoint) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

const firstSentence = (summary: string) => summary.split(/\. |; /)[0] ?? summary

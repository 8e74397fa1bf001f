/** The versions of the API, oldest first: one implementation, and the differences below. */
export const versions = ['v1', 'v1.1', 'v1.2', 'v1.3', 'v1.4', 'v1.4.1'] as const
export type Version = (typeof versions)[number]

export const newest: Version = 'v1.4.1'

export const isVersion = (text: string): text is Version =>
  (versions as readonly string[]).includes(text)

/** Since when each difference holds. */
const since = {
  /** `data` of a figure revision lists its objects without their bytes. */
  shallowRevisionData: 'v1.2',
  /** `created_on_behalf` and its companions. */
  onBehalf: 'v1.3',
  /** The list of workspaces leaves out what is in them. */
  lightWorkspaceList: 'v1.3',
  /** The caller may choose the id of a new revision. */
  clientId: 'v1.4.1',
} as const satisfies Record<string, Version>

export type Difference = keyof typeof since

export const isSince = (version: Version, first: Version): boolean =>
  versions.indexOf(version) >= versions.indexOf(first)

/** Marks a member of a schema that is there only since a difference. */
export const from = (difference: Difference) => ({ 'x-since': since[difference] })

export const has = (version: Version, difference: Difference): boolean =>
  isSince(version, since[difference])

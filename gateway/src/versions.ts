/** The versions of the API, oldest first. They share one implementation and differ only as `since` says. */
export const versions = ['v1', 'v1.1', 'v1.2', 'v1.3', 'v1.4', 'v1.4.1'] as const
export type Version = (typeof versions)[number]

export const newest: Version = 'v1.4.1'

export const isVersion = (text: string): text is Version =>
  (versions as readonly string[]).includes(text)

/** The first version with each difference. */
const since = {
  /** `data` of a figure revision lists its objects without their bytes. */
  shallowRevisionData: 'v1.2',
  /** `created_on_behalf`, `created_on_behalf_name` and `created_on_behalf_email`. */
  onBehalf: 'v1.3',
  /** The list of workspaces leaves out their content. */
  lightWorkspaceList: 'v1.3',
  /** The client may choose the id of a new revision. */
  clientId: 'v1.4.1',
} as const satisfies Record<string, Version>

export type Difference = keyof typeof since

export const isSince = (version: Version, first: Version): boolean =>
  versions.indexOf(version) >= versions.indexOf(first)

/** Marks a schema member as added with a difference; OpenAPI documents of older versions omit it. */
export const addedWith = (difference: Difference) => ({ 'x-since': since[difference] })

export const supports = (version: Version, difference: Difference): boolean =>
  isSince(version, since[difference])

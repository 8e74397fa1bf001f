/** The versions of the API, oldest first. They share one implementation and differ only as `since` says. */
export const versions = ['v1', 'v1.1', 'v1.2', 'v1.3', 'v1.4', 'v1.4.1'] as const
export type Version = (typeof versions)[number]

export const newest: Version = 'v1.4.1'

export const isVersion = (text: string): text is Version =>
  (versions as readonly string[]).includes(text)

/** What an existing route does differently from a version on. Each is a member, or the behaviour of a route. */
export type DifferenceEntry = { since: Version; change: string } & (
  | { members: string[] }
  | { route: string }
)

/** All of them; routes that were added say `since` themselves. */
export const differences = {
  shallowRevisionData: {
    since: 'v1.2',
    members: ['data'],
    change: 'in figure revisions, it lists the data objects without their bytes',
  },
  onBehalf: {
    since: 'v1.3',
    members: ['created_on_behalf', 'created_on_behalf_name', 'created_on_behalf_email'],
    change: 'added to all objects: whether, and for whom, another person created it',
  },
  lightWorkspaceList: {
    since: 'v1.3',
    route: 'GET /workspace/',
    change: 'the list leaves out the content of the workspaces',
  },
  clientId: {
    since: 'v1.4.1',
    members: ['client_id'],
    change: 'added to bodies that create revisions and stories: the id that the new object gets',
  },
} as const satisfies Record<string, DifferenceEntry>

export type Difference = keyof typeof differences

export const isSince = (version: Version, first: Version): boolean =>
  versions.indexOf(version) >= versions.indexOf(first)

/** Marks a schema member as added with a difference; OpenAPI documents of older versions omit it. */
export const addedWith = (difference: Difference) => ({
  'x-since': differences[difference].since,
})

export const supports = (version: Version, difference: Difference): boolean =>
  isSince(version, differences[difference].since)

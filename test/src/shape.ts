import assert from 'node:assert/strict'

/** The allowed types of each member, joined by `|`. */
export type Shape = Record<string, string>

const KINDS: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  uuid: (value) => typeof value === 'string' && UUID_V4.test(value),
  // A datetime names its offset, and keeps microseconds (wire facts 1.20 and 1.22).
  datetime: (value) => typeof value === 'string' && DATETIME.test(value),
  hash: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  // Omitted from the object.
  absent: (value) => value === undefined,
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/

/** Throws if members are missing or have another type, and lists all of them. */
export function assertShape(value: object, shape: Shape, what: string): void {
  const wrong = Object.entries(shape).flatMap(([member, kinds]) => {
    const actual = (value as Record<string, unknown>)[member]
    if (kinds.split('|').some((kind) => KINDS[kind]?.(actual) === true)) return []
    return [`${what}.${member} should be ${kinds}, not ${JSON.stringify(actual)?.slice(0, 60)}`]
  })
  assert.equal(wrong.length, 0, wrong.join('\n'))
}

/** The members common to all core resources. */
export const CORE: Shape = {
  api_id: 'uuid',
  entity_type: 'string',
  size_bytes: 'integer',
  created_by: 'string',
  updated_by: 'string|null',
  created_on: 'datetime',
  updated_on: 'datetime|null',
  last_activity_on: 'datetime',
}

const CONTAINER: Shape = {
  ...CORE,
  name: 'string',
  description: 'string|null',
  child_updated_by: 'string|null',
  child_updated_on: 'datetime|null',
}

const IMPORTED: Shape = {
  is_imported: 'boolean',
  import_source: 'string|object|null',
  import_source_asset: 'uuid|null',
}

/** Members of the specification that no current client reads. */
export const UNUSED_MEMBERS: Record<string, Shape> = {
  workspace: { compute_enabled: 'boolean' },
  analysis: IMPORTED,
  figure: { ...IMPORTED, auto_assign_pending: 'boolean', is_stale: 'boolean' },
  revision: {
    ...IMPORTED,
    image_hash: 'string|null',
    description: 'string|null',
    description_timestamp: 'datetime|null',
    description_author: 'string|null',
  },
}

/** Full and nested forms. Nested objects contain the id of their parent and omit their children. */
export const SHAPES = {
  organization: {
    ...CONTAINER,
    logo: 'string|null',
    allow_link_sharing: 'boolean',
    allow_per_workspace_storage_settings: 'boolean',
    workspaces: 'array',
  },
  workspace: {
    ...CONTAINER,
    workspace_type: 'string',
    organization: 'uuid|null',
    analyses: 'array',
    assets: 'array',
    stories: 'array',
  },
  workspaceInList: {
    ...CONTAINER,
    workspace_type: 'string',
    organization: 'uuid|null',
    analyses: 'absent|null',
    assets: 'absent|null',
    stories: 'absent|null',
  },
  analysis: {
    ...CONTAINER,
    workspace: 'uuid',
    figures: 'array',
    assets: 'array',
  },
  analysisNested: {
    ...CORE,
    name: 'string',
    workspace: 'uuid',
    figures: 'absent|null',
    assets: 'absent|null',
  },
  asset: {
    ...CONTAINER,
    workspace: 'uuid',
    analysis: 'uuid|null',
    revisions: 'array',
  },
  assetNested: {
    ...CONTAINER,
    workspace: 'uuid',
    analysis: 'uuid|null',
    revisions: 'absent|null',
  },
  figure: {
    ...CONTAINER,
    analysis: 'uuid',
    revisions: 'array',
  },
  figureNested: { ...CORE, name: 'string', analysis: 'uuid', revisions: 'absent|null' },
  revision: {
    ...CORE,
    figure: 'uuid',
    revision_index: 'integer',
    is_processing: 'boolean',
    is_clean_room: 'boolean',
    data: 'array',
    assets: 'array',
    short_id: 'string|null',
    figure_metadata: 'object',
  },
  assetRevision: {
    ...CORE,
    asset: 'uuid',
    revision_index: 'integer',
    is_processing: 'boolean',
    data_hash: 'hash|null',
    data: 'array',
    figure_revisions: 'array',
    thumbnail: 'string|null',
  },
  assetRevisionNested: {
    ...CORE,
    asset: 'uuid',
    revision_index: 'integer',
    is_processing: 'boolean',
    data: 'absent',
    figure_revisions: 'absent',
    metadata: 'absent',
  },
  revisionNested: {
    ...CORE,
    figure: 'uuid',
    revision_index: 'integer',
    is_processing: 'boolean',
    is_clean_room: 'boolean',
    short_id: 'string|null',
    data: 'absent',
    assets: 'absent',
    metadata: 'absent',
  },
  logItem: {
    username: 'string',
    timestamp: 'datetime',
    action: 'string',
    target_id: 'uuid',
    target_type: 'string',
    target_name: 'string|null',
    deleted: 'boolean',
    deleted_sentinel: 'string|null',
    thumbnail: 'string|null',
    analysis_id: 'uuid|null',
    analysis_name: 'string|null',
  },
  dataNested: {
    api_id: 'uuid',
    name: 'string|null',
    type: 'string',
    metadata: 'object|array',
    data: 'null',
    size_bytes: 'integer',
    hash: 'hash',
    is_clean_room: 'boolean',
  },
  data: {
    api_id: 'uuid',
    name: 'string|null',
    type: 'string',
    metadata: 'object|array',
    data: 'string',
    size_bytes: 'integer',
    hash: 'hash',
    is_clean_room: 'boolean',
  },
} satisfies Record<string, Shape>

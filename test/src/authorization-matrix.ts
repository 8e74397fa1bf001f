import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Access, type ApiKey, accesses, callerWith, newApiKey } from './api-keys.js'
import type { Client, Refusal } from './client.js'
import { either } from './client.js'
import { commentsPath, newComment, newReaction, type TargetType } from './comments.js'
import { deployment } from './deployment.js'
import { newRepository, repositoryToSend } from './git-repositories.js'
import {
  type Caller,
  callers,
  createMatrixFixture,
  type MatrixFixture,
  type Target,
} from './matrix-fixture.js'
import { newMetadataProxy } from './metadata-proxies.js'
import {
  newAnalysis,
  newAsset,
  newAssetRevision,
  newFigure,
  newOrganization,
  newRevision,
  newWorkspace,
} from './publish.js'
import { routesOf } from './routes.js'
import { newSshKey, sshKeyToSend } from './ssh-keys.js'
import { newStory } from './stories.js'
import { metadataOf, newUpload, tus } from './uploads.js'
import { newUser, signUp } from './users.js'
import { newWebhook, webhookToSend } from './webhooks.js'

/** Keys of the owner with less than full access. */
const limitedKeys: Partial<Record<Caller, Access>> = {
  'read key': 'read',
  'publish key': 'publish',
}

/** A request to a route, and the expected status for each caller. */
interface Case {
  /** Overrides the method of the route. */
  method?: string
  path: string | ((target: Target) => string)
  json?: (target: Target) => unknown
  headers?: (target: Target) => Record<string, string>
  /** For `read key` and `publish key`, this is called with the owner, and applies if their access is sufficient. */
  expected: (caller: Caller) => number
  /** The required key access; default `read` for GET and `full` for other methods. */
  needs?: Access
  /** Prepares a request that will succeed; may override its path and its client. */
  prepare?: (me: Client, target: Target) => Promise<{ path?: string; me?: Client }>
}

const managers: Caller[] = ['owner', 'scoped key', 'admin', 'org_admin', 'workspace_admin']
const publishers: Caller[] = [...managers, 'creator', 'workspace_creator']
const members: Caller[] = [...publishers, 'viewer', 'workspace_viewer']
const readers: Caller[] = [...members, 'shared', 'link holder', 'anonymous link holder']
/** The callers who may read and write comments; access by link alone is not enough. */
const commenters: Caller[] = [...members, 'shared']
/** The author of the comment on a target. */
const authors: Caller[] = ['owner', 'scoped key']
const commented: TargetType[] = ['figure', 'figure_revision', 'asset', 'asset_revision']
/** Each reaction needs a new emoji, because some callers are the same user. */
let nextCodePoint = 0x1f600
const nextEmoji = () => String.fromCodePoint(nextCodePoint++)
const idOf = (target: Target, type: TargetType) =>
  type === 'figure_revision' ? target.revision : target[type]
const inOrganization: Caller[] = [
  'org_admin',
  'workspace_admin',
  'workspace_creator',
  'workspace_viewer',
]
/** Whether the caller gets 401 if credentials are required. */
const isUnauthenticated = (caller: Caller) =>
  caller.startsWith('anonymous') || caller === 'expired key'
const signedIn = callers.filter((caller) => !isUnauthenticated(caller))
/** The owner, signed in or with a key. */
const keyHolders: Caller[] = ['owner', 'scoped key', 'scoped key elsewhere']
/** The callers who may access objects outside workspaces. */
const unlimitedCallers = signedIn.filter((caller) => !caller.startsWith('scoped key'))
const unlimitedPublishers = publishers.filter((caller) => unlimitedCallers.includes(caller))

/** `status` for these callers, 403 for other signed-in callers, 401 for the rest. */
const only = (allowed: Caller[], status = 200) => ({
  expected: (caller: Caller) =>
    allowed.includes(caller) ? status : isUnauthenticated(caller) ? 401 : 403,
})
/** Credentials are ignored. */
const ignoringCredentials = (status = 200) => ({ expected: () => status, needs: 'read' as const })
/** Allows anonymous requests, but no invalid credentials. */
const allowingAnonymous = (status = 200) => ({
  expected: (caller: Caller) => (caller === 'expired key' ? 401 : status),
})

const name = () => ({ name: 'Named by the matrix' })
const figureOf = (target: Target) => `figure/${target.figure}/`
const assetOf = (target: Target) => `asset/${target.asset}/`
const storyOf = (target: Target) => `story/${target.story}/`
const assetRevisionOf = (target: Target) => `asset_revision/${target.asset_revision}/`
/** The path of the owner's account. */
const ownPath = () => `user/${fixture.owner.username}/`
const hashOf = () => ({ hash_type: 'blake3', digest: 'ab'.repeat(32) })
const unknownId = crypto.randomUUID()

let fixture: MatrixFixture
let refreshToRevoke = ''
let invitations: { workspace: string; organization: string }
/** 201 if the object store supports direct uploads, otherwise 501. */
const directStatus = deployment.s3 ? 201 : 501
/** A webhook of each workspace, with a delivery. */
const webhooks = new Map<string, { id: string; delivery: string }>()
/** A Git repository of each analysis, by its id. */
const repositories = new Map<string, string>()
/** The path of a metadata proxy of the owner. */
let metadataProxy: string
before(async () => {
  fixture = await createMatrixFixture()
  const target = fixture.targetFor('owner')
  metadataProxy = await newMetadataProxy(fixture.owner.api)
  for (const target of new Set(callers.map((caller) => fixture.targetFor(caller)))) {
    const repository = await newRepository(fixture.owner.api, target)
    repositories.set(target.analysis, repository.api_id)
    if (webhooks.has(target.workspace)) continue
    const { api_id: id } = await newWebhook(fixture.owner.api, target)
    const { body } = await fixture.owner.api.post<{ api_id: string }>(`webhook/${id}/test/`, {})
    webhooks.set(target.workspace, { id, delivery: body.api_id })
  }
  invitations = {
    workspace: (await invite(fixture.owner.api, 'workspace', target.workspace)).api_id,
    organization: (await invite(fixture.orgAdmin.api, 'organization', target.organization)).api_id,
  }
})

type MembershipSegment = 'workspace' | 'organization'
const levels = { workspace: 'viewer', organization: 'workspace_viewer' } as const

async function invite(me: Client, membershipRoutes: MembershipSegment, id: string) {
  const body = {
    email: 'x@example.org',
    membership_type: levels[membershipRoutes],
    [membershipRoutes]: id,
  }
  const answer = await me.post<{ api_id: string; token: string }>(
    `invitations/${membershipRoutes}/`,
    body,
    201,
  )
  return answer.body
}

/** A route of AI for stories. */
const aiStoryCases = (
  route: string,
  more: (target: Target) => object = () => ({}),
  allowed = publishers,
  status = 200,
): Case[] => [
  {
    path: `deep_insight/story/${route}/`,
    json: (target) => ({ story_id: target.story, ...more(target) }),
    ...only(allowed, status),
    needs: 'publish',
  },
]

/** The share routes of a type of object. */
function shareRoutes(
  segment: keyof Target & string,
  path: (target: Target) => string,
  status = 200,
) {
  const allowed = segment === 'organization' ? (['org_admin'] as Caller[]) : publishers
  const user = () => ({ username: fixture.spare.username, sharing_enabled: true })
  return {
    [`GET /${segment}/{id}/share/user/`]: [
      { path: (at) => `${path(at)}share/user/`, ...only(allowed, status) },
    ],
    [`POST /${segment}/{id}/share/user/`]: [
      { path: (at) => `${path(at)}share/user/`, json: user, ...only(allowed, status) },
    ],
    [`GET /${segment}/{id}/share/link/`]: [
      { path: (at) => `${path(at)}share/link/`, ...only(allowed, status) },
    ],
    [`POST /${segment}/{id}/share/link/`]: [
      {
        path: (at) => `${path(at)}share/link/`,
        json: ({ isLinked }) => ({ enabled: isLinked }),
        ...only(allowed, status),
      },
    ],
  } satisfies Record<string, Case[]>
}

/** The routes of every core object: size, children, thumbnail and log. */
function coreRoutes(
  segment: keyof Target & string,
  path: (target: Target) => string,
  viewers: Caller[],
) {
  const known = viewers.filter((caller) => !isUnauthenticated(caller))
  const get = (suffix: string, allowed = viewers): Case[] => [
    { path: (at) => `${path(at)}${suffix}`, ...only(allowed) },
  ]
  const pictures = {
    [`GET /${segment}/{id}/thumbnail/`]: get('thumbnail/'),
    [`GET /${segment}/{id}/thumbnail/{size}/`]: get('thumbnail/16/'),
  }
  return {
    [`GET /${segment}/{id}/size/`]: get('size/'),
    [`GET /${segment}/{id}/children/`]: get('children/'),
    ...pictures,
    [`GET /${segment}/{id}/log/`]: get('log/', known),
    [`GET /${segment}/{id}/log/{log_id}/`]: [
      {
        path: (at) => `${path(at)}log/${unknownId}/`,
        ...only(known),
        prepare: async (me, at) => {
          const { body } = await me.get<{ api_id: string }[]>(`${path(at)}log/`)
          return { path: `${path(at)}log/${body[0]?.api_id}/` }
        },
      },
    ],
  } satisfies Record<string, Case[]>
}

const uploadHeaders = (target: Record<string, string>) => ({
  ...tus,
  'upload-length': '1',
  'upload-metadata': metadataOf(target),
})

/** Only the owner of an upload can access it. */
function uploadCases(method: 'HEAD' | 'PATCH' | 'DELETE'): Case[] {
  const status = method === 'HEAD' ? 200 : 204
  const appending = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  return [
    {
      path: `upload/${unknownId}/`,
      headers: () => ({ ...tus, ...(method === 'PATCH' && appending) }),
      expected: (caller) =>
        isUnauthenticated(caller) ? 401 : publishers.includes(caller) ? status : 404,
      needs: method === 'HEAD' ? 'read' : 'publish',
      prepare: async (me, { figure }) => ({ path: await newUpload(me, { figure }, 1) }),
    },
  ]
}

/** The update routes of revisions. */
function updateRoutes(segment: keyof Target & string, path: (target: Target) => string) {
  const change: Case[] = [
    { path, json: () => ({ metadata: {} }), ...only(publishers), needs: 'publish' },
  ]
  return {
    [`PUT /${segment}/{id}/`]: change,
    [`PATCH /${segment}/{id}/`]: change,
  } satisfies Record<string, Case[]>
}

const asRead = (one: Case): Case => ({ ...one, needs: 'read' })

/** The routes of plans, storage and usage. The organization controls those of its workspaces. */
function planRoutes(segment: MembershipSegment, managers: Caller[], status: number) {
  const path = (at: Target) => `${segment}/${at[segment]}/`
  const change = { json: () => ({ compute_overages_enabled: true }), ...only(managers, status) }
  const plan = () => ({ plan: fixture.plan })
  const vendor = () => ({ vendor: 'GoFigr.io' })
  const own = (suffix: string, json?: () => unknown, answer = status): Case[] => [
    { path: (at) => `${path(at)}${suffix}`, ...(json && { json }), ...only(managers, answer) },
  ]
  return {
    [`GET /${segment}/{id}/ai_usage/`]: own('ai_usage/', undefined, 200),
    [`GET /${segment}/{id}/subscription/`]: own('subscription/', undefined, 200),
    [`POST /${segment}/{id}/subscription/`]: own('subscription/', plan),
    [`PATCH /${segment}/{id}/subscription/`]: [
      { path: (at) => `${path(at)}subscription/`, ...change },
    ],
    [`GET /${segment}/{id}/storage/`]: own('storage/', undefined, 200),
    [`POST /${segment}/{id}/storage/`]: own('storage/', vendor),
    [`POST /${segment}/{id}/storage/test/`]: own('storage/test/', vendor).map(asRead),
  } satisfies Record<string, Case[]>
}

/** The routes of webhooks in a workspace or an organization. */
function placeOfWebhooks(segment: MembershipSegment, managers: Caller[]) {
  const path = (at: Target) => `${segment}/${at[segment]}/webhook/`
  return {
    [`GET /${segment}/{id}/webhook/`]: [{ path, ...only(managers) }],
    [`POST /${segment}/{id}/webhook/`]: [{ path, json: webhookToSend, ...only(managers, 201) }],
  } satisfies Record<string, Case[]>
}

/** The routes of billing. The organization pays for its workspaces. */
function billingRoutes(segment: MembershipSegment, payers: Caller[], status: number) {
  const own = (suffix: string, answer = status): Case[] => [
    { path: (at) => `${segment}/${at[segment]}/billing/${suffix}`, ...only(payers, answer) },
  ]
  const unknown = status === 200 ? 404 : status
  return {
    [`GET /${segment}/{id}/billing/`]: own(''),
    [`PATCH /${segment}/{id}/billing/`]: own('').map((one) => ({ ...one, json: () => ({}) })),
    [`GET /${segment}/{id}/billing/invoice/`]: own('invoice/'),
    [`GET /${segment}/{id}/billing/invoice/{invoice_id}/`]: own(`invoice/${unknownId}/`, unknown),
    [`POST /${segment}/{id}/billing/checkout/`]: own('checkout/', 409),
    [`POST /${segment}/{id}/billing/portal/`]: own('portal/', 409),
  } satisfies Record<string, Case[]>
}

/** The routes of Git repositories in a workspace or an analysis. */
function targetOfRepositories(segment: 'workspace' | 'analysis') {
  const path = (at: Target) => `${segment}/${at[segment]}/git_repository/`
  return {
    [`GET /${segment}/{id}/git_repository/`]: [{ path, ...only(publishers), needs: 'publish' }],
    [`POST /${segment}/{id}/git_repository/`]: [
      { path, json: repositoryToSend, ...only(publishers, 201) },
    ],
  } satisfies Record<string, Case[]>
}

/** The routes of a Git repository of the analysis, which the owner registered. */
function repositoryRoutes() {
  const path = (at: Target) => `git_repository/${repositories.get(at.analysis)}/`
  const to = (suffix: string, allowed: Caller[], status = 200): Case => ({
    path: (at) => `${path(at)}${suffix}`,
    ...only(allowed, status),
  })
  const owners: Caller[] = ['owner', 'scoped key']
  return {
    'GET /git_repository/{api_id}/': [{ ...to('', publishers), needs: 'publish' }],
    'PATCH /git_repository/{api_id}/': [
      { ...to('', owners), json: () => ({ exclude: ['drafts'] }) },
    ],
    'DELETE /git_repository/{api_id}/': [
      {
        ...to('', managers, 204),
        prepare: async (_, at) => ({
          path: `git_repository/${(await newRepository(fixture.owner.api, at)).api_id}/`,
        }),
      },
    ],
    'POST /git_repository/{api_id}/rotate_secret/': [to('rotate_secret/', owners)],
    'GET /git_repository/{api_id}/import/': [{ ...to('import/', publishers), needs: 'publish' }],
    'POST /git_repository/{api_id}/import/': [
      { ...to('import/', publishers, 202), needs: 'publish' },
    ],
    'POST /git_repository/{api_id}/push/': [
      {
        path: (at) => `${path(at)}push/`,
        json: () => ({ ref: 'refs/heads/main' }),
        ...ignoringCredentials(401),
      },
    ],
  } satisfies Record<string, Case[]>
}

/** The routes of a webhook of the workspace. */
function webhookRoutes() {
  const path = (at: Target) => `webhook/${webhooks.get(at.workspace)?.id}/`
  const to = (suffix: string, status = 200): Case[] => [
    { path: (at) => `${path(at)}${suffix}`, ...only(managers, status) },
  ]
  return {
    'GET /webhook/{api_id}/': to(''),
    'PATCH /webhook/{api_id}/': [{ path, json: () => ({ active: true }), ...only(managers) }],
    'DELETE /webhook/{api_id}/': [
      {
        path,
        ...only(managers, 204),
        prepare: async (me, at) => ({ path: `webhook/${(await newWebhook(me, at)).api_id}/` }),
      },
    ],
    'POST /webhook/{api_id}/test/': to('test/', 201),
    'POST /webhook/{api_id}/rotate_secret/': to('rotate_secret/'),
    'GET /webhook/{api_id}/delivery/': to('delivery/'),
    'POST /webhook_delivery/{api_id}/redeliver/': [
      {
        path: (at) => `webhook_delivery/${webhooks.get(at.workspace)?.delivery}/redeliver/`,
        ...only(managers),
      },
    ],
  } satisfies Record<string, Case[]>
}

/** The routes of compute instances. Instances are tested by the service: there are none without a driver. */
function computeRoutes() {
  const inWorkspace = (path: string): Case[] => [
    { path: (at) => `workspace/${at.workspace}/${path}/`, ...only(members) },
  ]
  const unknown = {
    expected: (caller: Caller) => (isUnauthenticated(caller) ? 401 : 404),
  }
  const ofUnknown = (suffix = '', json?: () => unknown): Case[] => [
    { path: `compute/instance/${unknownId}/${suffix}`, ...(json && { json }), ...unknown },
  ]
  return {
    'GET /compute/tiers/': [{ path: 'compute/tiers/', ...allowingAnonymous() }],
    'GET /workspace/{id}/compute_instances/': inWorkspace('compute_instances'),
    'GET /workspace/{id}/compute_instances/launch_options/': inWorkspace(
      'compute_instances/launch_options',
    ),
    'GET /workspace/{id}/compute_allowance/': inWorkspace('compute_allowance'),
    'GET /workspace/{id}/compute_usage/': inWorkspace('compute_usage'),
    'GET /organization/{id}/compute_usage/': [
      { path: (at) => `organization/${at.organization}/compute_usage/`, ...only(['org_admin']) },
    ],
    'POST /workspace/{id}/compute_instances/': [
      {
        path: (at) => `workspace/${at.workspace}/compute_instances/`,
        json: name,
        ...only(publishers, 503),
      },
    ],
    'GET /compute/instance/{id}/': ofUnknown(),
    'PATCH /compute/instance/{id}/': ofUnknown('', name),
    'POST /compute/instance/{id}/start/': ofUnknown('start/'),
    'POST /compute/instance/{id}/stop/': ofUnknown('stop/'),
    'POST /compute/instance/{id}/terminate/': ofUnknown('terminate/'),
    'POST /compute/instance/{id}/change-tier/': ofUnknown('change-tier/', () => ({
      tier: 'large',
    })),
    // A notebook's own key must not open it.
    'GET /compute/instance/{id}/connect/': ofUnknown('connect/').map((one) => ({
      ...one,
      needs: 'full' as const,
    })),
    'GET /compute/instance/{id}/heartbeat/': ofUnknown('heartbeat/'),
    'GET /compute/instance/{id}/events/': ofUnknown('events/'),
    'GET /compute/instance/{id}/usage/': ofUnknown('usage/'),
  } satisfies Record<string, Case[]>
}

/** The routes of members and invitations, for workspaces and organizations. */
function membershipRoutes(segment: MembershipSegment, managers: Caller[], listers: Caller[]) {
  const path = (at: Target) => `${segment}/${at[segment]}/`
  const level = levels[segment]
  const member = () => ({ username: fixture.spare.username, membership_type: level })
  const governor = () => (segment === 'workspace' ? fixture.owner.api : fixture.orgAdmin.api)
  const as = async (at: Target, action: 'add' | 'remove') => {
    const isSo = { add: 409, remove: 400 }[action]
    await governor().post(
      `${path(at)}members/${action}/`,
      member(),
      either('the membership may already be as wanted', 200, isSo),
    )
    return {}
  }
  return {
    [`GET /${segment}/{id}/members/`]: [{ path: (at) => `${path(at)}members/`, ...only(listers) }],
    [`POST /${segment}/{id}/members/add/`]: [
      {
        path: (at) => `${path(at)}members/add/`,
        json: member,
        ...only(managers),
        prepare: (_, at) => as(at, 'remove'),
      },
    ],
    [`POST /${segment}/{id}/members/change/`]: [
      {
        path: (at) => `${path(at)}members/change/`,
        json: member,
        ...only(managers),
        prepare: (_, at) => as(at, 'add'),
      },
    ],
    [`POST /${segment}/{id}/members/remove/`]: [
      {
        path: (at) => `${path(at)}members/remove/`,
        json: member,
        ...only(managers),
        prepare: (_, at) => as(at, 'add'),
      },
    ],
    [`GET /${segment}/{id}/invitations/`]: [
      { path: (at) => `${path(at)}invitations/`, ...only(managers) },
    ],
    [`POST /invitations/${segment}/`]: [
      {
        path: `invitations/${segment}/`,
        json: (at) => ({ email: 'y@example.org', membership_type: level, [segment]: at[segment] }),
        ...only(managers, 201),
      },
    ],
    [`GET /invitations/${segment}/{key}/`]: [
      { path: () => `invitations/${segment}/${invitations[segment]}/`, ...only(managers) },
      {
        path: `invitations/${segment}/a-token/`,
        ...only(unlimitedCallers),
        prepare: async (_, at) => {
          const { token } = await invite(governor(), segment, at[segment])
          return { path: `invitations/${segment}/${token}/` }
        },
      },
    ],
    [`DELETE /invitations/${segment}/{key}/`]: [
      {
        path: () => `invitations/${segment}/${invitations[segment]}/`,
        ...only(managers, 204),
        prepare: async (me, at) => {
          const { api_id } = await invite(me, segment, at[segment])
          return { path: `invitations/${segment}/${api_id}/` }
        },
      },
    ],
    [`POST /invitations/${segment}/{key}/accept/`]: [
      {
        path: `invitations/${segment}/a-token/accept/`,
        json: () => ({}),
        ...only(unlimitedCallers),
        prepare: async () => {
          const make = segment === 'workspace' ? newWorkspace : newOrganization
          const { api_id } = await make(fixture.spare.api)
          const { token } = await invite(fixture.spare.api, segment, api_id)
          return { path: `invitations/${segment}/${token}/accept/` }
        },
      },
    ],
  } satisfies Record<string, Case[]>
}

/** A workspace to delete, and a key for it. */
async function ownWorkspaceOfKey() {
  const { api_id: workspace } = await newWorkspace(fixture.owner.api)
  const me = callerWith(await newApiKey(fixture.owner.api, { workspace }))
  return { path: `workspace/${workspace}/`, me }
}

type Prepared = { path?: string; me?: Client }

/** The restore routes. Successful requests need a deleted object; the errors are the same for existing ones. */
function restoreCases(
  path: (target: Target) => string,
  allowed: Caller[],
  prepare: (me: Client, target: Target) => Promise<Prepared>,
): Case[] {
  return [
    {
      path: (at) => `${path(at)}restore/`,
      ...only(allowed),
      prepare: async (me, target) => {
        const made = await prepare(me, target)
        await (made.me ?? me).delete(made.path ?? '')
        return { ...made, path: `${made.path}restore/` }
      },
    },
  ]
}

const organizationToDelete = async (me: Client) => ({
  path: `organization/${(await newOrganization(me)).api_id}/`,
})
async function workspaceToDelete(me: Client, { organization }: Target): Promise<Prepared> {
  if (me === fixture.as['scoped key']) return ownWorkspaceOfKey()
  const place = me === fixture.as.owner ? null : organization
  return { path: `workspace/${(await newWorkspace(me, 'To delete', place)).api_id}/` }
}
const analysisToDelete = async (me: Client, { workspace }: Target) => ({
  path: `analysis/${(await newAnalysis(me, workspace)).api_id}/`,
})
const assetToDelete = async (me: Client, { workspace }: Target) => ({
  path: `asset/${(await newAsset(me, workspace)).api_id}/`,
})
const storyToDelete = async (me: Client, { workspace }: Target) => ({
  path: `story/${(await newStory(me, workspace)).api_id}/`,
})
const figureToDelete = async (me: Client, { analysis }: Target) => ({
  path: `figure/${(await newFigure(me, analysis)).api_id}/`,
})
const assetRevisionToDelete = async (me: Client, { asset }: Target) => ({
  path: `asset_revision/${(await newAssetRevision(me, asset)).api_id}/`,
})
const revisionToDelete = async (me: Client, { figure }: Target) => ({
  path: `revision/${(await newRevision(me, figure)).api_id}/`,
})

/** All routes of the API with the expected statuses. The first test fails if a route is missing. */
const matrix: Record<string, Case[]> = {
  'POST /api/token/': [
    {
      path: '/api/token/',
      json: () => ({ username: fixture.owner.username, password: fixture.owner.password }),
      ...ignoringCredentials(),
    },
  ],
  'POST /api/token/refresh/': [
    {
      path: '/api/token/refresh/',
      json: () => ({ refresh: fixture.owner.tokens.refresh }),
      ...ignoringCredentials(),
    },
  ],
  'POST /api/token/revoke/': [
    {
      path: '/api/token/revoke/',
      prepare: async () => {
        refreshToRevoke = (await signUp()).tokens.refresh
        return {}
      },
      json: () => ({ refresh: refreshToRevoke }),
      ...ignoringCredentials(),
    },
  ],
  'GET /info/': [{ path: 'info/', ...ignoringCredentials() }],
  'GET /api/versions/': [{ path: '/api/versions/', ...ignoringCredentials() }],
  'GET /openapi.json': [{ path: 'openapi.json', ...ignoringCredentials() }],
  'GET /bootstrap/': [{ path: 'bootstrap/', ...only(signedIn) }],
  'GET /settings/': [{ path: 'settings/', ...only(signedIn) }],
  'PUT /settings/': [{ path: 'settings/', json: () => ({}), ...only([]) }],
  'PATCH /settings/': [{ path: 'settings/', json: () => ({}), ...only([]) }],
  'POST /user/': [{ path: 'user/', json: newUser, ...allowingAnonymous(201) }],
  'GET /user/': [{ path: 'user/', ...only(signedIn) }],
  'GET /user/{username}/': [{ path: () => `user/${fixture.owner.username}/`, ...only(signedIn) }],

  'GET /api_key/': [{ path: 'api_key/', ...only(signedIn) }],
  'POST /api_key/': [
    {
      path: 'api_key/',
      json: () => ({ name: crypto.randomUUID() }),
      ...only(unlimitedCallers, 201),
    },
  ],
  'GET /api_key/{api_id}/': [
    {
      path: `api_key/${unknownId}/`,
      ...only(signedIn),
      prepare: async (me) => {
        const [known] = (await me.get<ApiKey[]>('api_key/')).body
        return { path: `api_key/${(known ?? (await newApiKey(me))).api_id}/` }
      },
    },
  ],
  'DELETE /api_key/{api_id}/': [
    {
      path: `api_key/${unknownId}/`,
      ...only(unlimitedCallers, 204),
      prepare: async (me) => ({ path: `api_key/${(await newApiKey(me)).api_id}/` }),
    },
  ],

  'GET /ssh_key/': [{ path: 'ssh_key/', ...only(unlimitedCallers) }],
  'POST /ssh_key/': [{ path: 'ssh_key/', json: sshKeyToSend, ...only(unlimitedCallers, 201) }],
  'GET /ssh_key/{api_id}/': [
    {
      path: `ssh_key/${unknownId}/`,
      ...only(unlimitedCallers),
      prepare: async (me) => ({ path: `ssh_key/${(await newSshKey(me)).api_id}/` }),
    },
  ],
  'PATCH /ssh_key/{api_id}/': [
    {
      path: `ssh_key/${unknownId}/`,
      json: () => ({ is_default: true }),
      ...only(unlimitedCallers),
      prepare: async (me) => ({ path: `ssh_key/${(await newSshKey(me)).api_id}/` }),
    },
  ],
  'DELETE /ssh_key/{api_id}/': [
    {
      path: `ssh_key/${unknownId}/`,
      ...only(unlimitedCallers, 204),
      prepare: async (me) => ({ path: `ssh_key/${(await newSshKey(me)).api_id}/` }),
    },
  ],

  'GET /organization/': [{ path: 'organization/', ...only(signedIn) }],
  'POST /organization/': [{ path: 'organization/', json: name, ...only(unlimitedCallers, 201) }],
  'GET /organization/{id}/': [
    { path: (at) => `organization/${at.organization}/`, ...only(inOrganization) },
  ],
  'PUT /organization/{id}/': [
    { path: (at) => `organization/${at.organization}/`, json: name, ...only(['org_admin']) },
  ],
  'PATCH /organization/{id}/': [
    { path: (at) => `organization/${at.organization}/`, json: name, ...only(['org_admin']) },
  ],
  'DELETE /organization/{id}/': [
    {
      path: (at) => `organization/${at.organization}/`,
      ...only(['org_admin'], 204),
      prepare: organizationToDelete,
    },
  ],
  'POST /organization/{id}/restore/': restoreCases(
    (at) => `organization/${at.organization}/`,
    ['org_admin'],
    organizationToDelete,
  ),
  'GET /organization/deleted/': [{ path: 'organization/deleted/', ...only(signedIn) }],
  'GET /organization/{id}/deleted/': [
    { path: (at) => `organization/${at.organization}/deleted/`, ...only(['org_admin']) },
  ],
  ...membershipRoutes('organization', ['org_admin'], ['org_admin']),
  ...coreRoutes('organization', (at) => `organization/${at.organization}/`, inOrganization),
  ...planRoutes('organization', ['org_admin'], 200),
  ...placeOfWebhooks('organization', ['org_admin']),
  ...billingRoutes('organization', ['org_admin'], 200),
  ...shareRoutes('organization', (at) => `organization/${at.organization}/`, 400),

  'GET /workspace/': [{ path: 'workspace/', ...only(signedIn) }],
  'POST /workspace/': [
    { path: 'workspace/', json: name, ...only(unlimitedCallers, 201), needs: 'publish' },
    {
      path: 'workspace/',
      json: ({ organization }) => ({ ...name(), organization }),
      ...only(['org_admin', 'workspace_admin', 'workspace_creator'], 201),
      needs: 'publish',
    },
  ],
  'GET /workspace/{id}/': [{ path: (at) => `workspace/${at.workspace}/`, ...only(members) }],
  'PUT /workspace/{id}/': [
    { path: (at) => `workspace/${at.workspace}/`, json: name, ...only(managers), needs: 'publish' },
  ],
  'PATCH /workspace/{id}/': [
    { path: (at) => `workspace/${at.workspace}/`, json: name, ...only(managers), needs: 'publish' },
  ],
  'DELETE /workspace/{id}/': [
    {
      path: (at) => `workspace/${at.workspace}/`,
      ...only(['owner', 'scoped key', 'org_admin'], 204),
      prepare: workspaceToDelete,
    },
  ],
  'POST /workspace/{id}/restore/': restoreCases(
    (at) => `workspace/${at.workspace}/`,
    ['owner', 'scoped key', 'org_admin'],
    workspaceToDelete,
  ),
  'GET /workspace/deleted/': [{ path: 'workspace/deleted/', ...only(signedIn) }],
  'GET /workspace/{id}/deleted/': [
    { path: (at) => `workspace/${at.workspace}/deleted/`, ...only(publishers) },
  ],
  ...membershipRoutes('workspace', managers, members),
  ...coreRoutes('workspace', (at) => `workspace/${at.workspace}/`, members),
  ...planRoutes('workspace', managers, 409),
  ...placeOfWebhooks('workspace', managers),
  ...billingRoutes('workspace', managers, 409),
  ...targetOfRepositories('workspace'),
  ...targetOfRepositories('analysis'),
  ...repositoryRoutes(),
  'POST /workspace/{id}/promotion/': [
    {
      path: (at) => `workspace/${at.workspace}/promotion/`,
      json: () => ({ promotion_code: 'CODE' }),
      ...only(managers, 409),
    },
  ],
  'GET /workspace/{id}/overview/': [
    { path: (at) => `workspace/${at.workspace}/overview/`, ...only(members) },
  ],
  'GET /workspace/{id}/dashboard/': [
    { path: (at) => `workspace/${at.workspace}/dashboard/`, ...only(members) },
  ],
  'GET /workspace/{id}/recent/': [
    { path: (at) => `workspace/${at.workspace}/recent/`, ...only(members) },
  ],
  'GET /workspace/{id}/stale/': [
    { path: (at) => `workspace/${at.workspace}/stale/`, ...only(members) },
  ],
  ...shareRoutes('workspace', (at) => `workspace/${at.workspace}/`, 400),

  'GET /analysis/': [{ path: 'analysis/', ...only(signedIn) }],
  'POST /analysis/': [
    {
      path: 'analysis/',
      json: ({ workspace }) => ({ ...name(), workspace }),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],
  'GET /analysis/{id}/': [{ path: (at) => `analysis/${at.analysis}/`, ...only(readers) }],
  'PUT /analysis/{id}/': [
    { path: (at) => `analysis/${at.analysis}/`, json: name, ...only(publishers), needs: 'publish' },
  ],
  'PATCH /analysis/{id}/': [
    { path: (at) => `analysis/${at.analysis}/`, json: name, ...only(publishers), needs: 'publish' },
  ],
  'DELETE /analysis/{id}/': [
    {
      path: (at) => `analysis/${at.analysis}/`,
      ...only(publishers, 204),
      prepare: analysisToDelete,
    },
  ],
  'POST /analysis/{id}/restore/': restoreCases(
    (at) => `analysis/${at.analysis}/`,
    publishers,
    analysisToDelete,
  ),
  ...shareRoutes('analysis', (at) => `analysis/${at.analysis}/`),
  ...coreRoutes('analysis', (at) => `analysis/${at.analysis}/`, readers),

  'GET /asset/': [{ path: 'asset/', ...only(signedIn) }],
  'POST /asset/': [
    {
      path: 'asset/',
      json: ({ workspace }) => ({ ...name(), workspace }),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],
  'GET /asset/{id}/': [{ path: assetOf, ...only(readers) }],
  'PUT /asset/{id}/': [{ path: assetOf, json: name, ...only(publishers), needs: 'publish' }],
  'PATCH /asset/{id}/': [{ path: assetOf, json: name, ...only(publishers), needs: 'publish' }],
  'DELETE /asset/{id}/': [
    {
      path: assetOf,
      ...only(publishers, 204),
      prepare: assetToDelete,
    },
  ],
  'POST /asset/{id}/restore/': restoreCases(assetOf, publishers, assetToDelete),
  'POST /asset/find_by_name/': [
    { path: 'asset/find_by_name/', json: name, ...only(signedIn), needs: 'read' },
  ],
  ...shareRoutes('asset', assetOf),
  ...coreRoutes('asset', assetOf, readers),
  'GET /ai_usage/': [
    { path: 'ai_usage/', ...only(unlimitedCallers) },
    { path: 'ai_usage/?all=true', ...only([]) },
  ],
  'POST /deep_insight/': [
    {
      path: 'deep_insight/',
      json: ({ revision }) => ({ figure_revision: revision, prompt: 'What does it show?' }),
      ...only(commenters),
      needs: 'publish',
    },
  ],
  'POST /deep_insight/check/': [
    {
      path: 'deep_insight/check/',
      json: ({ revision }) => ({ figure_revision: revision }),
      ...only(signedIn),
      needs: 'read',
    },
  ],
  'POST /deep_insight/story/slide/generate/': aiStoryCases('slide/generate', () => ({
    slide_type: 'goals',
  })),
  // 400: no slide has this id.
  'POST /deep_insight/story/slide/detail/': aiStoryCases(
    'slide/detail',
    () => ({ slide_id: 'x', direction: 'more', current_content: 'text' }),
    publishers,
    400,
  ),
  'POST /deep_insight/story/figure/': aiStoryCases('figure', ({ revision }) => ({
    revision_id: revision,
  })),
  'POST /deep_insight/story/overviews/': aiStoryCases('overviews'),
  'POST /deep_insight/story/refine/': aiStoryCases('refine'),
  // A task belongs to no workspace.
  'POST /deep_insight/story/generate/': aiStoryCases('generate', undefined, unlimitedPublishers),
  'POST /deep_insight/story/refine_async/': aiStoryCases(
    'refine_async',
    undefined,
    unlimitedPublishers,
  ),
  ...Object.fromEntries(
    ['figure_code', 'datasets'].map((name) => [
      `POST /deep_insight/${name}/`,
      [
        {
          path: `deep_insight/${name}/`,
          json: ({ revision }: Target) => ({ figure_revision: revision }),
          ...only(commenters),
          needs: 'publish' as const,
        },
      ],
    ]),
  ),
  'POST /deep_insight/compare/': [
    {
      path: 'deep_insight/compare/',
      json: ({ revision }) => ({ left_revision: revision, right_revision: revision }),
      ...only(commenters),
      needs: 'publish',
    },
  ],
  'POST /deep_insight/text_only/': [
    {
      path: 'deep_insight/text_only/',
      json: ({ workspace }) => ({ text: 'A text', prompt: 'What does it say?', workspace }),
      ...only(members),
      needs: 'publish',
    },
  ],
  'POST /deep_insight/code_edit/': [
    {
      path: 'deep_insight/code_edit/',
      json: ({ revision }) => ({
        figure_revision: revision,
        messages: [{ role: 'user', content: 'Change nothing.' }],
        current_code: 'x = 1',
      }),
      ...only(commenters),
      needs: 'publish',
    },
  ],
  'POST /revision/{id}/generate_description/': [
    {
      path: (at) => `revision/${at.revision}/generate_description/`,
      json: () => ({}),
      ...only(publishers),
      needs: 'publish',
    },
  ],
  // The responses in it are those of the routes themselves.
  'POST /batch/': [
    {
      path: 'batch/',
      json: ({ figure }) => ({ requests: [{ path: `figure/${figure}/` }] }),
      ...allowingAnonymous(),
      needs: 'read',
    },
  ],
  'POST /search/': [
    {
      path: 'search/',
      json: () => ({ search_type: 'keyword', query: 'anything' }),
      ...only(signedIn),
      needs: 'read',
    },
  ],

  'GET /figure/': [{ path: 'figure/', ...only(signedIn) }],
  'POST /figure/': [
    {
      path: 'figure/',
      json: ({ analysis }) => ({ ...name(), analysis }),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],
  'GET /figure/{id}/': [{ path: figureOf, ...only(readers) }],
  'PUT /figure/{id}/': [{ path: figureOf, json: name, ...only(publishers), needs: 'publish' }],
  'PATCH /figure/{id}/': [{ path: figureOf, json: name, ...only(publishers), needs: 'publish' }],
  'DELETE /figure/{id}/': [
    {
      path: figureOf,
      ...only(publishers, 204),
      prepare: figureToDelete,
    },
  ],
  'POST /figure/{id}/restore/': restoreCases(figureOf, publishers, figureToDelete),
  'POST /figure/{id}/still_right/': [
    {
      path: (at) => `${figureOf(at)}still_right/`,
      json: () => ({ reason: 'the same data' }),
      ...only(publishers),
      needs: 'publish',
    },
  ],
  ...shareRoutes('figure', figureOf),
  ...coreRoutes('figure', figureOf, readers),

  'GET /story/': [{ path: 'story/', ...only(signedIn) }],
  'POST /story/': [
    {
      path: 'story/',
      json: ({ workspace }) => ({ ...name(), workspace }),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],
  'GET /story/{id}/': [{ path: storyOf, ...only(readers) }],
  'PUT /story/{id}/': [{ path: storyOf, json: name, ...only(publishers), needs: 'publish' }],
  'PATCH /story/{id}/': [{ path: storyOf, json: name, ...only(publishers), needs: 'publish' }],
  'DELETE /story/{id}/': [
    {
      path: storyOf,
      ...only(publishers, 204),
      prepare: storyToDelete,
    },
  ],
  'POST /story/{id}/restore/': restoreCases(storyOf, publishers, storyToDelete),
  'GET /story/{id}/history/': [
    { path: (at) => `${storyOf(at)}history/`, ...only(publishers), needs: 'publish' },
  ],
  'GET /story/{id}/history/{number}/': [
    { path: (at) => `${storyOf(at)}history/1/`, ...only(publishers), needs: 'publish' },
  ],
  'POST /story/{id}/history/{number}/restore/': [
    {
      path: (at) => `${storyOf(at)}history/1/restore/`,
      ...only(publishers),
      needs: 'publish',
    },
  ],
  // A task belongs to no workspace.
  'POST /story/{id}/export/': [
    {
      path: (at) => `${storyOf(at)}export/`,
      json: () => ({ format: 'markdown' }),
      ...only(
        readers.filter((caller) => unlimitedCallers.includes(caller)),
        202,
      ),
      needs: 'read',
    },
  ],
  // Only exports of the caller are found.
  'GET /story/{id}/export/{export_id}/': [
    {
      path: (at) => `${storyOf(at)}export/${unknownId}/`,
      ...only(
        readers.filter((caller) => signedIn.includes(caller)),
        404,
      ),
      needs: 'read',
    },
  ],
  ...shareRoutes('story', storyOf),
  ...coreRoutes('story', storyOf, readers),

  'GET /asset_revision/': [{ path: 'asset_revision/', ...only(signedIn) }],
  'POST /asset_revision/': [
    {
      path: 'asset_revision/',
      json: ({ asset }) => ({ asset, data: [] }),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],
  'GET /asset_revision/{id}/': [{ path: assetRevisionOf, ...only(readers) }],
  ...updateRoutes('asset_revision', assetRevisionOf),
  'POST /asset_revision/{id}/unlink_figure/': [
    {
      path: (at) => `${assetRevisionOf(at)}unlink_figure/`,
      json: ({ revision }) => ({ figure_revision: revision }),
      ...only(publishers),
      needs: 'publish',
      prepare: async (_, { revision, asset_revision }) => {
        await fixture.owner.api.patch(`revision/${revision}/`, { assets: [{ asset_revision }] })
        return {}
      },
    },
  ],
  'GET /asset_revision/{id}/status/': [
    { path: (at) => `${assetRevisionOf(at)}status/`, ...only(readers) },
  ],
  'DELETE /asset_revision/{id}/': [
    {
      path: assetRevisionOf,
      ...only(publishers, 204),
      prepare: assetRevisionToDelete,
    },
  ],
  'POST /asset_revision/{id}/restore/': restoreCases(
    assetRevisionOf,
    publishers,
    assetRevisionToDelete,
  ),
  ...shareRoutes('asset_revision', assetRevisionOf),
  ...coreRoutes('asset_revision', assetRevisionOf, readers),

  'GET /revision/': [{ path: 'revision/', ...only(signedIn) }],
  'POST /revision/': [
    {
      path: 'revision/',
      json: ({ figure }) => ({ figure, data: [] }),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],
  'GET /revision/{id}/': [{ path: (at) => `revision/${at.revision}/`, ...only(readers) }],
  ...updateRoutes('revision', (at) => `revision/${at.revision}/`),
  'POST /revision/{id}/append_data/': [
    {
      path: (at) => `revision/${at.revision}/append_data/`,
      json: () => ({ data: [] }),
      ...only(publishers),
      needs: 'publish',
    },
  ],
  'GET /revision/{id}/status/': [
    { path: (at) => `revision/${at.revision}/status/`, ...only(readers) },
  ],
  'GET /revision/{id}/comment_count/': [
    { path: (at) => `revision/${at.revision}/comment_count/`, ...only(commenters) },
  ],
  'GET /revision/{id}/thumbnail/': [
    { path: (at) => `revision/${at.revision}/thumbnail/`, ...only(readers) },
  ],
  'GET /revision/{id}/thumbnail/{size}/': [
    { path: (at) => `revision/${at.revision}/thumbnail/16/`, ...only(readers) },
    { path: (at) => `revision/${at.revision}/thumbnail/16/?dl=1`, ...only(readers) },
  ],
  'DELETE /revision/{id}/': [
    {
      path: (at) => `revision/${at.revision}/`,
      ...only(publishers, 204),
      prepare: revisionToDelete,
    },
  ],
  'POST /revision/{id}/restore/': restoreCases(
    (at) => `revision/${at.revision}/`,
    publishers,
    revisionToDelete,
  ),
  ...shareRoutes('revision', (at) => `revision/${at.revision}/`),
  ...coreRoutes('revision', (at) => `revision/${at.revision}/`, readers),

  'POST /asset_revision/find_by_hash/': [
    { path: 'asset_revision/find_by_hash/', json: hashOf, ...only(signedIn), needs: 'read' },
    {
      path: 'asset_revision/find_by_hash/',
      json: ({ analysis }) => ({ ...hashOf(), analysis }),
      ...only(readers.filter((caller) => !isUnauthenticated(caller))),
      needs: 'read',
    },
  ],
  'POST /revision/auto-assign/': [
    {
      path: 'revision/auto-assign/',
      json: ({ analysis }) => ({ analysis }),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],
  'POST /revision/{id}/derive/': [
    {
      path: (at) => `revision/${at.revision}/derive/`,
      json: () => ({}),
      ...only(publishers, 201),
      needs: 'publish',
    },
  ],

  // Not in a workspace, but keys limited to one need it to publish there.
  'POST /short_id_prefix/reserve/': [
    {
      path: 'short_id_prefix/reserve/',
      json: () => ({}),
      ...only(signedIn, 201),
      needs: 'publish',
    },
  ],

  'POST /upload/': [
    ...(['figure', 'asset', 'analysis', 'revision', 'asset_revision'] as const).map((name) => ({
      path: 'upload/',
      headers: (at: Target) => uploadHeaders({ [name]: at[name] }),
      ...only(publishers, 201),
      needs: 'publish' as const,
    })),
  ],
  'HEAD /upload/{id}/': uploadCases('HEAD'),
  'PATCH /upload/{id}/': uploadCases('PATCH'),
  'DELETE /upload/{id}/': uploadCases('DELETE'),
  // Succeeds only if the object store supports it.
  'POST /upload/direct/': [
    {
      path: 'upload/direct/',
      json: ({ figure }) => ({ figure, size_bytes: 1 }),
      expected: (caller) =>
        isUnauthenticated(caller) ? 401 : publishers.includes(caller) ? directStatus : 403,
      needs: 'publish',
    },
  ],

  ...coreRoutes('data', (at) => `data/${at.data}/`, readers),
  'GET /data/{id}/': [
    { path: (at) => `data/${at.data}/`, ...only(readers) },
    { path: (at) => `data/${at.data}/?dl=1`, ...only(readers) },
  ],
  'GET /data/{id}/storage/': [{ path: (at) => `data/${at.data}/storage/`, ...only(managers) }],

  'GET /user/{username}/contributions/': [
    {
      path: () => `user/${fixture.owner.username}/contributions/`,
      ...only(keyHolders),
    },
  ],

  'PUT /user/{username}/': [
    { path: ownPath, json: () => ({ first_name: 'Ada' }), ...only(['owner']) },
  ],
  'PATCH /user/{username}/': [
    { path: ownPath, json: () => ({ first_name: 'Ada' }), ...only(['owner']) },
  ],

  // With a wrong password, so that the owner's account is not deleted.
  'DELETE /user/{username}/': [
    {
      path: ownPath,
      json: () => ({ password: 'wrong' }),
      expected: (caller) => (isUnauthenticated(caller) ? 401 : caller === 'owner' ? 400 : 403),
    },
  ],
  'GET /user_profile/notifications/': [
    { path: 'user_profile/notifications/', ...only(unlimitedCallers), needs: 'read' },
  ],
  'PATCH /user_profile/notifications/': [
    {
      path: 'user_profile/notifications/',
      json: () => ({ digest_hour: 7 }),
      ...only(unlimitedCallers),
    },
  ],
  'GET /user/{username}/export/': [{ path: () => `${ownPath()}export/`, ...only(['owner']) }],
  'POST /user/{username}/activate/': [{ path: () => `${ownPath()}activate/`, ...only([]) }],
  'POST /user/{username}/deactivate/': [{ path: () => `${ownPath()}deactivate/`, ...only([]) }],
  'POST /user/{username}/staff/': [
    { path: () => `${ownPath()}staff/`, json: () => ({ is_staff: true }), ...only([]) },
  ],
  'GET /account/': [{ path: 'account/', ...only([]) }],
  'GET /staff_action/': [{ path: 'staff_action/', ...only([]) }],
  'GET /account/{username}/sessions/': [
    {
      path: () => `account/${fixture.owner.username}/sessions/`,
      ...only(['owner']),
      needs: 'full',
    },
  ],
  // An unknown session, so that the owner's session does not end.
  'DELETE /account/{username}/sessions/{id}/': [
    {
      path: () =>
        `account/${fixture.owner.username}/sessions/00000000-0000-4000-8000-000000000000/`,
      expected: (caller) => (isUnauthenticated(caller) ? 401 : caller === 'owner' ? 404 : 403),
    },
  ],
  'DELETE /account/{username}/sessions/': [
    {
      path: () => `account/${fixture.owner.username}/sessions/`,
      ...only(['owner'], 204),
      prepare: async () => {
        const { api: me, username } = await signUp()
        return { me, path: `account/${username}/sessions/` }
      },
    },
  ],
  'POST /user/{username}/verify_email/': [
    { path: () => `${ownPath()}verify_email/`, ...only(['owner']) },
    {
      path: () => `${ownPath()}verify_email/`,
      json: () => ({ token: 'x' }),
      ...allowingAnonymous(400),
    },
  ],
  'POST /api/token/device/': [{ path: '/api/token/device/', json: name, ...ignoringCredentials() }],
  'POST /api/token/device/key/': [
    {
      path: '/api/token/device/key/',
      json: () => ({ device_code: 'x' }),
      ...ignoringCredentials(400),
    },
  ],
  'POST /api/password_reset/': [
    {
      path: '/api/password_reset/',
      json: () => ({ email: newUser().email }),
      ...ignoringCredentials(),
    },
  ],
  'POST /api/password_reset/confirm/': [
    {
      path: '/api/password_reset/confirm/',
      json: () => ({ token: 'x', password: 'correct horse' }),
      ...ignoringCredentials(400),
    },
  ],

  // HEAD, because a GET would not end.
  'GET /events/': [{ method: 'HEAD', path: 'events/', ...only(signedIn) }],

  ...webhookRoutes(),
  ...computeRoutes(),
  'GET /plan/': [{ path: 'plan/', ...allowingAnonymous() }],
  'POST /plan/': [{ path: 'plan/', json: name, ...only([]) }],
  'PUT /plan/{id}/': [{ path: () => `plan/${fixture.plan}/`, json: name, ...only([]) }],
  'PATCH /plan/{id}/': [{ path: () => `plan/${fixture.plan}/`, json: name, ...only([]) }],
  'DELETE /plan/{id}/': [{ path: () => `plan/${fixture.plan}/`, ...only([]) }],
  'GET /billing/invoice/': [{ path: 'billing/invoice/', ...only([]) }],
  'GET /billing/invoice/{invoice_id}/': [{ path: `billing/invoice/${unknownId}/`, ...only([]) }],
  'POST /billing/invoice/{invoice_id}/credit_note/': [
    {
      path: `billing/invoice/${unknownId}/credit_note/`,
      json: () => ({ memo: 'x' }),
      ...only([]),
    },
  ],
  'POST /billing/invoice/{invoice_id}/mark_paid/': [
    { path: `billing/invoice/${unknownId}/mark_paid/`, ...only([]) },
  ],
  // Stripe collects nothing here.
  'POST /billing/stripe/': [{ path: 'billing/stripe/', ...ignoringCredentials(404) }],
  'GET /promotion_code/': [{ path: 'promotion_code/', ...only([]) }],
  'POST /promotion_code/': [
    { path: 'promotion_code/', json: () => ({ plan: fixture.plan }), ...only([]) },
  ],
  'DELETE /promotion_code/{code}/': [{ path: 'promotion_code/CODE/', ...only([]) }],

  // Not in a workspace, but needed by limited keys. The token already reveals that the proxy exists.
  'POST /metadata/': [
    { path: 'metadata/', json: () => ({}), ...only(signedIn, 201), needs: 'publish' },
  ],
  'GET /metadata/{token}/': [
    {
      path: () => metadataProxy,
      expected: (caller) =>
        caller === 'expired key' ? 401 : keyHolders.includes(caller) ? 200 : 403,
    },
  ],
  'POST /metadata/{token}/': [
    {
      path: () => metadataProxy,
      json: () => ({ metadata: {} }),
      ...allowingAnonymous(),
      needs: 'publish',
    },
  ],
  'DELETE /metadata/{token}/': [
    {
      path: () => metadataProxy,
      ...only(keyHolders, 204),
      needs: 'publish',
      prepare: async (me) => ({ path: await newMetadataProxy(me) }),
    },
  ],

  'GET /comment/': commented.map((type) => ({
    path: (at) => commentsPath(type, idOf(at, type)),
    ...only(commenters),
  })),
  'POST /comment/': commented.map((type) => ({
    path: 'comment/',
    json: (at) => ({ target_type: type, target_id: idOf(at, type), content: 'By the matrix' }),
    ...only(commenters, 201),
    needs: 'publish',
  })),
  'PUT /comment/{id}/': [
    {
      path: (at) => `comment/${at.comment}/`,
      json: () => ({ content: 'Changed by the matrix' }),
      ...only(authors),
      needs: 'publish',
    },
    {
      path: (at) => `comment/${at.comment}/`,
      json: () => ({ content: 'Changed by the matrix' }),
      ...only(commenters),
      needs: 'publish',
      prepare: async (me, { figure }) => ({
        path: `comment/${(await newComment(me, 'figure', figure)).id}/`,
      }),
    },
  ],
  'DELETE /comment/{id}/': [
    {
      path: (at) => `comment/${at.comment}/`,
      ...only(commenters, 204),
      prepare: async (me, { figure }) => ({
        path: `comment/${(await newComment(me, 'figure', figure)).id}/`,
      }),
    },
    {
      // A comment of another author.
      path: (at) => `comment/${at.comment}/`,
      ...only(authors, 204),
      prepare: async (me, { figure }) => ({
        path: `comment/${(await newComment(me, 'figure', figure)).id}/`,
      }),
    },
  ],
  'POST /comment/{id}/create_ai_response/': [
    {
      path: (at) => `comment/${at.comment}/create_ai_response/`,
      json: () => ({}),
      ...only(commenters, 201),
      needs: 'publish',
    },
  ],
  'GET /reaction/': [{ path: (at) => `reaction/?comment_id=${at.comment}`, ...only(commenters) }],
  'POST /reaction/': [
    {
      path: 'reaction/',
      json: ({ comment }) => ({ comment_id: comment, emoji: nextEmoji() }),
      ...only(commenters, 201),
      needs: 'publish',
    },
  ],
  'DELETE /reaction/{id}/': [
    {
      path: (at) => `reaction/${at.reaction}/`,
      ...only(authors, 204),
      prepare: async (me, { comment }) => ({
        path: `reaction/${(await newReaction(me, comment, '🚀')).id}/`,
      }),
    },
    {
      path: (at) => `reaction/${at.reaction}/`,
      ...only(commenters, 204),
      prepare: async (me, { comment }) => ({
        path: `reaction/${(await newReaction(me, comment, '🚀')).id}/`,
      }),
    },
  ],

  'GET /tasks/': [{ path: 'tasks/', ...only(unlimitedCallers) }],
  'GET /tasks/{task_id}/': [{ path: `tasks/${unknownId}/`, ...only(unlimitedCallers, 404) }],
  'GET /tasks/{task_id}/logs/': [
    { path: `tasks/${unknownId}/logs/`, ...only(unlimitedCallers, 404) },
  ],
  'POST /tasks/{task_id}/cancel/': [
    {
      path: `tasks/${unknownId}/cancel/`,
      json: () => ({}),
      ...only(unlimitedCallers, 404),
      needs: 'publish',
    },
  ],
}

const allowed = { yes: 0, no: 0 }

/** Declares the tests of one part of the routes. Each part is a test file, so that they run in parallel. */
export function testMatrix(part: number, parts: number): void {
  const rows = Object.entries(matrix).filter((_, index) => index % parts === part)

  test('the matrix contains exactly the routes of the API', async () => {
    assert.deepEqual(Object.keys(matrix).sort(), await routesOf())
  })

  for (const [route, cases] of rows) {
    test(`${route} returns the expected status to each caller`, async () => {
      const method = route.split(' ')[0] ?? ''
      for (const one of cases) {
        if (!one.prepare)
          await Promise.all(callers.map((caller) => ask(caller, one.method ?? method, one)))
        // In sequence, because preparations may conflict.
        else for (const caller of callers) await ask(caller, one.method ?? method, one)
      }
    })
  }

  test('tests every caller with every case', (t) => {
    const cases = rows.flatMap(([, all]) => all).length
    assert.equal(allowed.yes + allowed.no, cases * callers.length)
    const { yes, no } = allowed
    t.diagnostic(
      `${rows.length} routes in ${cases} cases × ${callers.length} callers = ${yes + no} responses, ${yes} successes and ${no} errors`,
    )
  })
}

async function ask(caller: Caller, method: string, one: Case) {
  const target = fixture.targetFor(caller)
  const access = limitedKeys[caller]
  // Prepared as for the owner: the request would succeed with a key with more access.
  const effectiveCaller = access ? 'owner' : caller
  const isTooWeak =
    access !== undefined && accesses.indexOf(access) < accesses.indexOf(needOf(method, one))
  const unlimited = one.expected(effectiveCaller)
  const status = isTooWeak ? 403 : unlimited
  const prepared =
    unlimited < 300 ? await one.prepare?.(fixture.as[effectiveCaller], target) : undefined
  const path = prepared?.path ?? (typeof one.path === 'string' ? one.path : one.path(target))
  const json = one.json?.(target)
  const headers = one.headers?.(target) ?? {}
  const options = { status, headers, ...(json !== undefined && { json }) }
  const me = (isTooWeak ? undefined : prepared?.me) ?? fixture.as[caller]
  const answer = await me.request<Refusal>(method, path, options).catch((error: unknown) => {
    throw new Error(`${caller}: ${error}`, { cause: error })
  })
  if (isTooWeak && unlimited !== 403) {
    assert.equal(answer.body?.error, 'insufficient_key_access', `${caller}: ${path}`)
  }
  allowed[status < 300 ? 'yes' : 'no']++
}

const needOf = (method: string, { needs }: Case): Access =>
  needs ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'full')

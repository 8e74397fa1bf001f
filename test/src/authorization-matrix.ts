import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { either } from '../src/client.js'
import { type Access, type ApiKey, accesses, callerWith, newApiKey } from './api-keys.js'
import type { Client, Refusal } from './client.js'
import { commentsPath, newComment, newReaction, type TargetType } from './comments.js'
import { deployment } from './deployment.js'
import { newMailbox } from './mailboxes.js'
import { type Caller, callers, createWorld, type Target, type World } from './matrix.js'
import { newUser, signUp } from './people.js'
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
import { metadataOf, newUpload, tus } from './uploads.js'

/** Keys of the owner with less than full access. */
const limitedKeys: Partial<Record<Caller, Access>> = {
  'read key': 'read',
  'publish key': 'publish',
}

/** A way to call a route, and the status that each caller gets. */
interface Case {
  /** In place of that of the route. */
  method?: string
  path: string | ((target: Target) => string)
  json?: (target: Target) => unknown
  headers?: (target: Target) => Record<string, string>
  /** Of `read key` and `publish key`: what the owner gets, where their access does. */
  expected: (caller: Caller) => number
  /** What a key's access must be. Unsaid, a GET takes `read`, and all else `full`. */
  needs?: Access
  /** Before a call that will succeed: what it needs, and where and by whom something may be changed. */
  prepare?: (me: Client, target: Target) => Promise<{ path?: string; me?: Client }>
}

const manage: Caller[] = ['owner', 'scoped key', 'admin', 'org_admin', 'workspace_admin']
const work: Caller[] = [...manage, 'creator', 'workspace_creator']
const members: Caller[] = [...work, 'viewer', 'workspace_viewer']
const readers: Caller[] = [...members, 'shared', 'link holder', 'anonymous link holder']
/** Who reads comments and writes them: a link alone does not show them. */
const discussants: Caller[] = [...members, 'shared']
/** Who wrote the comment of a target. */
const authors: Caller[] = ['owner', 'scoped key']
const commented: TargetType[] = ['figure', 'figure_revision', 'asset', 'asset_revision']
/** The owner is two callers: each reacts otherwise. */
let face = 0x1f600
const nextFace = () => String.fromCodePoint(face++)
const idOf = (target: Target, type: TargetType) =>
  type === 'figure_revision' ? target.revision : target[type]
const inOrganization: Caller[] = [
  'org_admin',
  'workspace_admin',
  'workspace_creator',
  'workspace_viewer',
]
/** Who gets 401 where credentials are needed. */
const isUnknown = (caller: Caller) => caller.startsWith('anonymous') || caller === 'expired key'
const signedIn = callers.filter((caller) => !isUnknown(caller))
/** The owner, signed in or with a key. */
const keyHolders: Caller[] = ['owner', 'scoped key', 'scoped key elsewhere']
/** Those who may do what is in no workspace. */
const unbound = signedIn.filter((caller) => !caller.startsWith('scoped key'))

/** `status` for these, 403 for others who are signed in, 401 for who is not. */
const only = (allowed: Caller[], status = 200) => ({
  expected: (caller: Caller) => (allowed.includes(caller) ? status : isUnknown(caller) ? 401 : 403),
})
/** Whatever the credentials: they are not looked at. */
const everybody = (status = 200) => ({ expected: () => status, needs: 'read' as const })
/** Without credentials too, but not with bad ones. */
const open = (status = 200) => ({
  expected: (caller: Caller) => (caller === 'expired key' ? 401 : status),
})

const name = () => ({ name: 'Named by the matrix' })
const figureOf = (target: Target) => `figure/${target.figure}/`
const assetOf = (target: Target) => `asset/${target.asset}/`
const assetRevisionOf = (target: Target) => `asset_revision/${target.asset_revision}/`
/** Of an account. */
const ownPath = () => `user/${world.owner.username}/`
const hashOf = () => ({ hash_type: 'blake3', digest: 'ab'.repeat(32) })
const nowhere = crypto.randomUUID()

let world: World
let leaving = ''
let invitations: { workspace: string; organization: string }
/** 201 where the object store takes direct uploads, 501 elsewhere. */
const directStatus = deployment.s3 ? 201 : 501
/** The address of one of the owner's. */
let mailbox: string
before(async () => {
  world = await createWorld()
  const target = world.targetFor('owner')
  mailbox = await newMailbox(world.owner.api)
  invitations = {
    workspace: (await invite(world.owner.api, 'workspace', target.workspace)).api_id,
    organization: (await invite(world.orgAdmin.api, 'organization', target.organization)).api_id,
  }
})

type Circle = 'workspace' | 'organization'
const levels = { workspace: 'viewer', organization: 'workspace_viewer' } as const

async function invite(me: Client, circle: Circle, id: string) {
  const body = { email: 'x@example.org', membership_type: levels[circle], [circle]: id }
  const answer = await me.post<{ api_id: string; token: string }>(
    `invitations/${circle}/`,
    body,
    201,
  )
  return answer.body
}

/** The routes that every object of the tree has for a segment of the API. */
function shares(segment: keyof Target & string, path: (target: Target) => string, status = 200) {
  const allowed = segment === 'organization' ? (['org_admin'] as Caller[]) : work
  const user = () => ({ username: world.spare.username, sharing_enabled: true })
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

/** What every object has: sizes, children, pictures and the log, for those who may view it. */
function core(segment: keyof Target & string, path: (target: Target) => string, viewers: Caller[]) {
  const known = viewers.filter((caller) => !isUnknown(caller))
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
        path: (at) => `${path(at)}log/${nowhere}/`,
        ...only(known),
        prepare: async (me, at) => {
          const { body } = await me.get<{ api_id: string }[]>(`${path(at)}log/`)
          return { path: `${path(at)}log/${body[0]?.api_id}/` }
        },
      },
    ],
  } satisfies Record<string, Case[]>
}

const beginning = (target: Record<string, string>) => ({
  ...tus,
  'upload-length': '1',
  'upload-metadata': metadataOf(target),
})

/** An upload is its owner's alone. */
function ofUploads(method: 'HEAD' | 'PATCH' | 'DELETE'): Case[] {
  const status = method === 'HEAD' ? 200 : 204
  const appending = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  return [
    {
      path: `upload/${nowhere}/`,
      headers: () => ({ ...tus, ...(method === 'PATCH' && appending) }),
      expected: (caller) => (isUnknown(caller) ? 401 : work.includes(caller) ? status : 404),
      needs: method === 'HEAD' ? 'read' : 'publish',
      prepare: async (me, { figure }) => ({ path: await newUpload(me, { figure }, 1) }),
    },
  ]
}

/** Changes of revisions, for those who may publish. */
function changes(segment: keyof Target & string, path: (target: Target) => string) {
  const change: Case[] = [{ path, json: () => ({ metadata: {} }), ...only(work), needs: 'publish' }]
  return {
    [`PUT /${segment}/{id}/`]: change,
    [`PATCH /${segment}/{id}/`]: change,
  } satisfies Record<string, Case[]>
}

const reading = (one: Case): Case => ({ ...one, needs: 'read' })

/** Plans and storage; the organization of the workspace decides on its own. */
function holder(segment: Circle, managers: Caller[], status: number) {
  const path = (at: Target) => `${segment}/${at[segment]}/`
  const change = { json: () => ({ compute_overages_enabled: true }), ...only(managers, status) }
  const plan = () => ({ plan: world.plan })
  const vendor = () => ({ vendor: 'GoFigr.io' })
  const own = (suffix: string, json?: () => unknown, answer = status): Case[] => [
    { path: (at) => `${path(at)}${suffix}`, ...(json && { json }), ...only(managers, answer) },
  ]
  return {
    [`GET /${segment}/{id}/subscription/`]: own('subscription/', undefined, 200),
    [`POST /${segment}/{id}/subscription/`]: own('subscription/', plan),
    [`PATCH /${segment}/{id}/subscription/`]: [
      { path: (at) => `${path(at)}subscription/`, ...change },
    ],
    [`GET /${segment}/{id}/storage/`]: own('storage/', undefined, 200),
    [`POST /${segment}/{id}/storage/`]: own('storage/', vendor),
    [`POST /${segment}/{id}/storage/test/`]: own('storage/test/', vendor).map(reading),
  } satisfies Record<string, Case[]>
}

/** Members and invitations, which workspaces and organizations have. */
function circle(segment: Circle, managers: Caller[], listers: Caller[]) {
  const path = (at: Target) => `${segment}/${at[segment]}/`
  const level = levels[segment]
  const member = () => ({ username: world.spare.username, membership_type: level })
  const governor = () => (segment === 'workspace' ? world.owner.api : world.orgAdmin.api)
  const as = async (at: Target, action: 'add' | 'remove') => {
    const isSo = { add: 409, remove: 400 }[action]
    await governor().post(
      `${path(at)}members/${action}/`,
      member(),
      either('it may be so already', 200, isSo),
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
        ...only(unbound),
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
        ...only(unbound),
        prepare: async () => {
          const make = segment === 'workspace' ? newWorkspace : newOrganization
          const { api_id } = await make(world.spare.api)
          const { token } = await invite(world.spare.api, segment, api_id)
          return { path: `invitations/${segment}/${token}/accept/` }
        },
      },
    ],
  } satisfies Record<string, Case[]>
}

/** A workspace that may go, and a key for it. */
async function ownWorkspaceOfKey() {
  const { api_id: workspace } = await newWorkspace(world.owner.api)
  const me = callerWith(await newApiKey(world.owner.api, { workspace }))
  return { path: `workspace/${workspace}/`, me }
}

type Prepared = { path?: string; me?: Client }

/** What is brought back must have been deleted; of what is there, the refusals are the same. */
function restored(
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

const organizationToGo = async (me: Client) => ({
  path: `organization/${(await newOrganization(me)).api_id}/`,
})
async function workspaceToGo(me: Client, { organization }: Target): Promise<Prepared> {
  if (me === world.as['scoped key']) return ownWorkspaceOfKey()
  const place = me === world.as.owner ? null : organization
  return { path: `workspace/${(await newWorkspace(me, 'To go', place)).api_id}/` }
}
const analysisToGo = async (me: Client, { workspace }: Target) => ({
  path: `analysis/${(await newAnalysis(me, workspace)).api_id}/`,
})
const assetToGo = async (me: Client, { workspace }: Target) => ({
  path: `asset/${(await newAsset(me, workspace)).api_id}/`,
})
const figureToGo = async (me: Client, { analysis }: Target) => ({
  path: `figure/${(await newFigure(me, analysis)).api_id}/`,
})
const assetRevisionToGo = async (me: Client, { asset }: Target) => ({
  path: `asset_revision/${(await newAssetRevision(me, asset)).api_id}/`,
})
const revisionToGo = async (me: Client, { figure }: Target) => ({
  path: `revision/${(await newRevision(me, figure)).api_id}/`,
})

/** Every route of the API, and who gets what from it. A route that is missing here fails the first test. */
const matrix: Record<string, Case[]> = {
  'POST /api/token/': [
    {
      path: '/api/token/',
      json: () => ({ username: world.owner.username, password: world.owner.password }),
      ...everybody(),
    },
  ],
  'POST /api/token/refresh/': [
    {
      path: '/api/token/refresh/',
      json: () => ({ refresh: world.owner.tokens.refresh }),
      ...everybody(),
    },
  ],
  'POST /api/token/revoke/': [
    {
      path: '/api/token/revoke/',
      prepare: async () => {
        leaving = (await signUp()).tokens.refresh
        return {}
      },
      json: () => ({ refresh: leaving }),
      ...everybody(),
    },
  ],
  'GET /info/': [{ path: 'info/', ...everybody() }],
  'GET /openapi.json': [{ path: 'openapi.json', ...everybody() }],
  'GET /bootstrap/': [{ path: 'bootstrap/', ...only(signedIn) }],
  'GET /settings/': [{ path: 'settings/', ...only(signedIn) }],
  'PUT /settings/': [{ path: 'settings/', json: () => ({}), ...only([]) }],
  'PATCH /settings/': [{ path: 'settings/', json: () => ({}), ...only([]) }],
  'POST /user/': [{ path: 'user/', json: newUser, ...open(201) }],
  'GET /user/': [{ path: 'user/', ...only(signedIn) }],
  'GET /user/{username}/': [{ path: () => `user/${world.owner.username}/`, ...only(signedIn) }],

  'GET /api_key/': [{ path: 'api_key/', ...only(signedIn) }],
  'POST /api_key/': [
    { path: 'api_key/', json: () => ({ name: crypto.randomUUID() }), ...only(unbound, 201) },
  ],
  'GET /api_key/{api_id}/': [
    {
      path: `api_key/${nowhere}/`,
      ...only(signedIn),
      prepare: async (me) => {
        const [known] = (await me.get<ApiKey[]>('api_key/')).body
        return { path: `api_key/${(known ?? (await newApiKey(me))).api_id}/` }
      },
    },
  ],
  'DELETE /api_key/{api_id}/': [
    {
      path: `api_key/${nowhere}/`,
      ...only(unbound, 204),
      prepare: async (me) => ({ path: `api_key/${(await newApiKey(me)).api_id}/` }),
    },
  ],

  'GET /ssh_key/': [{ path: 'ssh_key/', ...only(unbound) }],
  'POST /ssh_key/': [{ path: 'ssh_key/', json: sshKeyToSend, ...only(unbound, 201) }],
  'GET /ssh_key/{api_id}/': [
    {
      path: `ssh_key/${nowhere}/`,
      ...only(unbound),
      prepare: async (me) => ({ path: `ssh_key/${(await newSshKey(me)).api_id}/` }),
    },
  ],
  'PATCH /ssh_key/{api_id}/': [
    {
      path: `ssh_key/${nowhere}/`,
      json: () => ({ is_default: true }),
      ...only(unbound),
      prepare: async (me) => ({ path: `ssh_key/${(await newSshKey(me)).api_id}/` }),
    },
  ],
  'DELETE /ssh_key/{api_id}/': [
    {
      path: `ssh_key/${nowhere}/`,
      ...only(unbound, 204),
      prepare: async (me) => ({ path: `ssh_key/${(await newSshKey(me)).api_id}/` }),
    },
  ],

  'GET /organization/': [{ path: 'organization/', ...only(signedIn) }],
  'POST /organization/': [{ path: 'organization/', json: name, ...only(unbound, 201) }],
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
      prepare: organizationToGo,
    },
  ],
  'POST /organization/{id}/restore/': restored(
    (at) => `organization/${at.organization}/`,
    ['org_admin'],
    organizationToGo,
  ),
  'GET /organization/deleted/': [{ path: 'organization/deleted/', ...only(signedIn) }],
  'GET /organization/{id}/deleted/': [
    { path: (at) => `organization/${at.organization}/deleted/`, ...only(['org_admin']) },
  ],
  ...circle('organization', ['org_admin'], ['org_admin']),
  ...core('organization', (at) => `organization/${at.organization}/`, inOrganization),
  ...holder('organization', ['org_admin'], 200),
  ...shares('organization', (at) => `organization/${at.organization}/`, 400),

  'GET /workspace/': [{ path: 'workspace/', ...only(signedIn) }],
  'POST /workspace/': [
    { path: 'workspace/', json: name, ...only(unbound, 201), needs: 'publish' },
    {
      path: 'workspace/',
      json: ({ organization }) => ({ ...name(), organization }),
      ...only(['org_admin', 'workspace_admin', 'workspace_creator'], 201),
      needs: 'publish',
    },
  ],
  'GET /workspace/{id}/': [{ path: (at) => `workspace/${at.workspace}/`, ...only(members) }],
  'PUT /workspace/{id}/': [
    { path: (at) => `workspace/${at.workspace}/`, json: name, ...only(manage), needs: 'publish' },
  ],
  'PATCH /workspace/{id}/': [
    { path: (at) => `workspace/${at.workspace}/`, json: name, ...only(manage), needs: 'publish' },
  ],
  'DELETE /workspace/{id}/': [
    {
      path: (at) => `workspace/${at.workspace}/`,
      ...only(['owner', 'scoped key', 'org_admin'], 204),
      prepare: workspaceToGo,
    },
  ],
  'POST /workspace/{id}/restore/': restored(
    (at) => `workspace/${at.workspace}/`,
    ['owner', 'scoped key', 'org_admin'],
    workspaceToGo,
  ),
  'GET /workspace/deleted/': [{ path: 'workspace/deleted/', ...only(signedIn) }],
  'GET /workspace/{id}/deleted/': [
    { path: (at) => `workspace/${at.workspace}/deleted/`, ...only(work) },
  ],
  ...circle('workspace', manage, members),
  ...core('workspace', (at) => `workspace/${at.workspace}/`, members),
  ...holder('workspace', manage, 409),
  'POST /workspace/{id}/promotion/': [
    {
      path: (at) => `workspace/${at.workspace}/promotion/`,
      json: () => ({ promotion_code: 'CODE' }),
      ...only(manage, 409),
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
  ...shares('workspace', (at) => `workspace/${at.workspace}/`, 400),

  'GET /analysis/': [{ path: 'analysis/', ...only(signedIn) }],
  'POST /analysis/': [
    {
      path: 'analysis/',
      json: ({ workspace }) => ({ ...name(), workspace }),
      ...only(work, 201),
      needs: 'publish',
    },
  ],
  'GET /analysis/{id}/': [{ path: (at) => `analysis/${at.analysis}/`, ...only(readers) }],
  'PUT /analysis/{id}/': [
    { path: (at) => `analysis/${at.analysis}/`, json: name, ...only(work), needs: 'publish' },
  ],
  'PATCH /analysis/{id}/': [
    { path: (at) => `analysis/${at.analysis}/`, json: name, ...only(work), needs: 'publish' },
  ],
  'DELETE /analysis/{id}/': [
    {
      path: (at) => `analysis/${at.analysis}/`,
      ...only(work, 204),
      prepare: analysisToGo,
    },
  ],
  'POST /analysis/{id}/restore/': restored((at) => `analysis/${at.analysis}/`, work, analysisToGo),
  ...shares('analysis', (at) => `analysis/${at.analysis}/`),
  ...core('analysis', (at) => `analysis/${at.analysis}/`, readers),

  'GET /asset/': [{ path: 'asset/', ...only(signedIn) }],
  'POST /asset/': [
    {
      path: 'asset/',
      json: ({ workspace }) => ({ ...name(), workspace }),
      ...only(work, 201),
      needs: 'publish',
    },
  ],
  'GET /asset/{id}/': [{ path: assetOf, ...only(readers) }],
  'PUT /asset/{id}/': [{ path: assetOf, json: name, ...only(work), needs: 'publish' }],
  'PATCH /asset/{id}/': [{ path: assetOf, json: name, ...only(work), needs: 'publish' }],
  'DELETE /asset/{id}/': [
    {
      path: assetOf,
      ...only(work, 204),
      prepare: assetToGo,
    },
  ],
  'POST /asset/{id}/restore/': restored(assetOf, work, assetToGo),
  'POST /asset/find_by_name/': [
    { path: 'asset/find_by_name/', json: name, ...only(signedIn), needs: 'read' },
  ],
  ...shares('asset', assetOf),
  ...core('asset', assetOf, readers),

  'GET /figure/': [{ path: 'figure/', ...only(signedIn) }],
  'POST /figure/': [
    {
      path: 'figure/',
      json: ({ analysis }) => ({ ...name(), analysis }),
      ...only(work, 201),
      needs: 'publish',
    },
  ],
  'GET /figure/{id}/': [{ path: figureOf, ...only(readers) }],
  'PUT /figure/{id}/': [{ path: figureOf, json: name, ...only(work), needs: 'publish' }],
  'PATCH /figure/{id}/': [{ path: figureOf, json: name, ...only(work), needs: 'publish' }],
  'DELETE /figure/{id}/': [
    {
      path: figureOf,
      ...only(work, 204),
      prepare: figureToGo,
    },
  ],
  'POST /figure/{id}/restore/': restored(figureOf, work, figureToGo),
  ...shares('figure', figureOf),
  ...core('figure', figureOf, readers),

  'GET /asset_revision/': [{ path: 'asset_revision/', ...only(signedIn) }],
  'POST /asset_revision/': [
    {
      path: 'asset_revision/',
      json: ({ asset }) => ({ asset, data: [] }),
      ...only(work, 201),
      needs: 'publish',
    },
  ],
  'GET /asset_revision/{id}/': [{ path: assetRevisionOf, ...only(readers) }],
  ...changes('asset_revision', assetRevisionOf),
  'POST /asset_revision/{id}/unlink_figure/': [
    {
      path: (at) => `${assetRevisionOf(at)}unlink_figure/`,
      json: ({ revision }) => ({ figure_revision: revision }),
      ...only(work),
      needs: 'publish',
      prepare: async (_, { revision, asset_revision }) => {
        await world.owner.api.patch(`revision/${revision}/`, { assets: [{ asset_revision }] })
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
      ...only(work, 204),
      prepare: assetRevisionToGo,
    },
  ],
  'POST /asset_revision/{id}/restore/': restored(assetRevisionOf, work, assetRevisionToGo),
  ...shares('asset_revision', assetRevisionOf),
  ...core('asset_revision', assetRevisionOf, readers),

  'GET /revision/': [{ path: 'revision/', ...only(signedIn) }],
  'POST /revision/': [
    {
      path: 'revision/',
      json: ({ figure }) => ({ figure, data: [] }),
      ...only(work, 201),
      needs: 'publish',
    },
  ],
  'GET /revision/{id}/': [{ path: (at) => `revision/${at.revision}/`, ...only(readers) }],
  ...changes('revision', (at) => `revision/${at.revision}/`),
  'POST /revision/{id}/append_data/': [
    {
      path: (at) => `revision/${at.revision}/append_data/`,
      json: () => ({ data: [] }),
      ...only(work),
      needs: 'publish',
    },
  ],
  'GET /revision/{id}/status/': [
    { path: (at) => `revision/${at.revision}/status/`, ...only(readers) },
  ],
  'GET /revision/{id}/comment_count/': [
    { path: (at) => `revision/${at.revision}/comment_count/`, ...only(discussants) },
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
      ...only(work, 204),
      prepare: revisionToGo,
    },
  ],
  'POST /revision/{id}/restore/': restored((at) => `revision/${at.revision}/`, work, revisionToGo),
  ...shares('revision', (at) => `revision/${at.revision}/`),
  ...core('revision', (at) => `revision/${at.revision}/`, readers),

  'POST /asset_revision/find_by_hash/': [
    { path: 'asset_revision/find_by_hash/', json: hashOf, ...only(signedIn), needs: 'read' },
    {
      path: 'asset_revision/find_by_hash/',
      json: ({ analysis }) => ({ ...hashOf(), analysis }),
      ...only(readers.filter((caller) => !isUnknown(caller))),
      needs: 'read',
    },
  ],
  'POST /revision/auto-assign/': [
    {
      path: 'revision/auto-assign/',
      json: ({ analysis }) => ({ analysis }),
      ...only(work, 201),
      needs: 'publish',
    },
  ],
  'POST /revision/{id}/derive/': [
    {
      path: (at) => `revision/${at.revision}/derive/`,
      json: () => ({}),
      ...only(work, 201),
      needs: 'publish',
    },
  ],

  // In no workspace, but of no use elsewhere: keys for one publish there.
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
      headers: (at: Target) => beginning({ [name]: at[name] }),
      ...only(work, 201),
      needs: 'publish' as const,
    })),
  ],
  'HEAD /upload/{id}/': ofUploads('HEAD'),
  'PATCH /upload/{id}/': ofUploads('PATCH'),
  'DELETE /upload/{id}/': ofUploads('DELETE'),
  // Whoever may begins one, where the object store takes it.
  'POST /upload/direct/': [
    {
      path: 'upload/direct/',
      json: ({ figure }) => ({ figure, size_bytes: 1 }),
      expected: (caller) => (isUnknown(caller) ? 401 : work.includes(caller) ? directStatus : 403),
      needs: 'publish',
    },
  ],

  ...core('data', (at) => `data/${at.data}/`, readers),
  'GET /data/{id}/': [
    { path: (at) => `data/${at.data}/`, ...only(readers) },
    { path: (at) => `data/${at.data}/?dl=1`, ...only(readers) },
  ],
  'GET /data/{id}/storage/': [{ path: (at) => `data/${at.data}/storage/`, ...only(manage) }],

  'GET /user/{username}/contributions/': [
    {
      path: () => `user/${world.owner.username}/contributions/`,
      ...only(keyHolders),
    },
  ],

  'PUT /user/{username}/': [
    { path: ownPath, json: () => ({ first_name: 'Ada' }), ...only(['owner']) },
  ],
  'PATCH /user/{username}/': [
    { path: ownPath, json: () => ({ first_name: 'Ada' }), ...only(['owner']) },
  ],

  // With a password that is wrong: whose account it is may not go.
  'DELETE /user/{username}/': [
    {
      path: ownPath,
      json: () => ({ password: 'wrong' }),
      expected: (caller) => (isUnknown(caller) ? 401 : caller === 'owner' ? 400 : 403),
    },
  ],
  'GET /user/{username}/export/': [{ path: () => `${ownPath()}export/`, ...only(['owner']) }],
  'POST /user/{username}/activate/': [{ path: () => `${ownPath()}activate/`, ...only([]) }],
  'POST /user/{username}/deactivate/': [{ path: () => `${ownPath()}deactivate/`, ...only([]) }],
  'POST /user/{username}/staff/': [
    { path: () => `${ownPath()}staff/`, json: () => ({ is_staff: true }), ...only([]) },
  ],
  'GET /account/': [{ path: 'account/', ...only([]) }],
  'GET /account/{username}/sessions/': [
    {
      path: () => `account/${world.owner.username}/sessions/`,
      ...only(['owner']),
      needs: 'full',
    },
  ],
  // Of a session that is not there: the owner goes on with the one that there is.
  'DELETE /account/{username}/sessions/{id}/': [
    {
      path: () => `account/${world.owner.username}/sessions/00000000-0000-4000-8000-000000000000/`,
      expected: (caller) => (isUnknown(caller) ? 401 : caller === 'owner' ? 404 : 403),
    },
  ],
  'DELETE /account/{username}/sessions/': [
    {
      path: () => `account/${world.owner.username}/sessions/`,
      ...only(['owner'], 204),
      prepare: async () => {
        const { api: me, username } = await signUp()
        return { me, path: `account/${username}/sessions/` }
      },
    },
  ],
  'POST /user/{username}/verify_email/': [
    { path: () => `${ownPath()}verify_email/`, ...only(['owner']) },
    { path: () => `${ownPath()}verify_email/`, json: () => ({ token: 'x' }), ...open(400) },
  ],
  'POST /api/password_reset/': [
    { path: '/api/password_reset/', json: () => ({ email: newUser().email }), ...everybody() },
  ],
  'POST /api/password_reset/confirm/': [
    {
      path: '/api/password_reset/confirm/',
      json: () => ({ token: 'x', password: 'correct horse' }),
      ...everybody(400),
    },
  ],

  // A GET would not end.
  'GET /events/': [{ method: 'HEAD', path: 'events/', ...only(signedIn) }],

  'GET /plan/': [{ path: 'plan/', ...open() }],
  'POST /plan/': [{ path: 'plan/', json: name, ...only([]) }],
  'PUT /plan/{id}/': [{ path: () => `plan/${world.plan}/`, json: name, ...only([]) }],
  'PATCH /plan/{id}/': [{ path: () => `plan/${world.plan}/`, json: name, ...only([]) }],
  'DELETE /plan/{id}/': [{ path: () => `plan/${world.plan}/`, ...only([]) }],
  'GET /promotion_code/': [{ path: 'promotion_code/', ...only([]) }],
  'POST /promotion_code/': [
    { path: 'promotion_code/', json: () => ({ plan: world.plan }), ...only([]) },
  ],
  'DELETE /promotion_code/{code}/': [{ path: 'promotion_code/CODE/', ...only([]) }],

  // In no workspace, but of no use elsewhere. Who has the token knows that there is a mailbox.
  'POST /metadata/': [
    { path: 'metadata/', json: () => ({}), ...only(signedIn, 201), needs: 'publish' },
  ],
  'GET /metadata/{token}/': [
    {
      path: () => mailbox,
      expected: (caller) =>
        caller === 'expired key' ? 401 : keyHolders.includes(caller) ? 200 : 403,
    },
  ],
  'POST /metadata/{token}/': [
    { path: () => mailbox, json: () => ({ metadata: {} }), ...open(), needs: 'publish' },
  ],
  'DELETE /metadata/{token}/': [
    {
      path: () => mailbox,
      ...only(keyHolders, 204),
      needs: 'publish',
      prepare: async (me) => ({ path: await newMailbox(me) }),
    },
  ],

  'GET /comment/': commented.map((type) => ({
    path: (at) => commentsPath(type, idOf(at, type)),
    ...only(discussants),
  })),
  'POST /comment/': commented.map((type) => ({
    path: 'comment/',
    json: (at) => ({ target_type: type, target_id: idOf(at, type), content: 'By the matrix' }),
    ...only(discussants, 201),
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
      ...only(discussants),
      needs: 'publish',
      prepare: async (me, { figure }) => ({
        path: `comment/${(await newComment(me, 'figure', figure)).id}/`,
      }),
    },
  ],
  'DELETE /comment/{id}/': [
    {
      path: (at) => `comment/${at.comment}/`,
      ...only(discussants, 204),
      prepare: async (me, { figure }) => ({
        path: `comment/${(await newComment(me, 'figure', figure)).id}/`,
      }),
    },
    {
      // For others than its author.
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
      ...only(discussants, 503),
      needs: 'publish',
    },
  ],
  'GET /reaction/': [{ path: (at) => `reaction/?comment_id=${at.comment}`, ...only(discussants) }],
  'POST /reaction/': [
    {
      path: 'reaction/',
      json: ({ comment }) => ({ comment_id: comment, emoji: nextFace() }),
      ...only(discussants, 201),
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
      ...only(discussants, 204),
      prepare: async (me, { comment }) => ({
        path: `reaction/${(await newReaction(me, comment, '🚀')).id}/`,
      }),
    },
  ],

  'GET /tasks/': [{ path: 'tasks/', ...only(unbound) }],
  'GET /tasks/{task_id}/': [{ path: `tasks/${nowhere}/`, ...only(unbound, 404) }],
  'GET /tasks/{task_id}/logs/': [{ path: `tasks/${nowhere}/logs/`, ...only(unbound, 404) }],
  'POST /tasks/{task_id}/cancel/': [
    { path: `tasks/${nowhere}/cancel/`, json: () => ({}), ...only(unbound, 404), needs: 'publish' },
  ],
}

const allowed = { yes: 0, no: 0 }

/** Declares the tests of one part of the routes: a file of tests for each, since they take long. */
export function testMatrix(part: number, parts: number): void {
  const rows = Object.entries(matrix).filter((_, index) => index % parts === part)

  test('the matrix has a row for each route, and each row has a route', async () => {
    assert.deepEqual(Object.keys(matrix).sort(), await routesOf())
  })

  for (const [route, cases] of rows) {
    test(`${route} answers each caller as the matrix says`, async () => {
      const method = route.split(' ')[0] ?? ''
      for (const one of cases) {
        if (!one.prepare)
          await Promise.all(callers.map((caller) => ask(caller, one.method ?? method, one)))
        // What one prepares, the next might undo.
        else for (const caller of callers) await ask(caller, one.method ?? method, one)
      }
    })
  }

  test('every caller was tried with every case', (t) => {
    const cases = rows.flatMap(([, all]) => all).length
    assert.equal(allowed.yes + allowed.no, cases * callers.length)
    const { yes, no } = allowed
    t.diagnostic(
      `${rows.length} routes in ${cases} cases × ${callers.length} callers = ${yes + no} answers, ${yes} of success and ${no} of refusal`,
    )
  })
}

async function ask(caller: Caller, method: string, one: Case) {
  const target = world.targetFor(caller)
  const access = limitedKeys[caller]
  // What a key is refused is there, and would succeed with another key.
  const face = access ? 'owner' : caller
  const isTooWeak =
    access !== undefined && accesses.indexOf(access) < accesses.indexOf(needOf(method, one))
  const unlimited = one.expected(face)
  const status = isTooWeak ? 403 : unlimited
  const prepared = unlimited < 300 ? await one.prepare?.(world.as[face], target) : undefined
  const path = prepared?.path ?? (typeof one.path === 'string' ? one.path : one.path(target))
  const json = one.json?.(target)
  const headers = one.headers?.(target) ?? {}
  const options = { status, headers, ...(json !== undefined && { json }) }
  const me = (isTooWeak ? undefined : prepared?.me) ?? world.as[caller]
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

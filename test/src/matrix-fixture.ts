import { setTimeout as delay } from 'node:timers/promises'
import { callerWith, newApiKey } from './api-keys.js'
import { type Client, client } from './client.js'
import { newComment, newReaction } from './comments.js'
import { LATEST } from './deployment.js'
import { png } from './images.js'
import {
  at,
  file,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newOrganization,
  newWorkspace,
  publish,
  publishAsset,
} from './publish.js'
import { newStory } from './stories.js'
import { signUp, type TestUser } from './users.js'

/** The callers of the authorization matrix. */
export const callers = [
  'owner',
  'admin',
  'creator',
  'viewer',
  'org_admin',
  'workspace_admin',
  'workspace_creator',
  'workspace_viewer',
  'shared',
  'link holder',
  'stranger',
  'anonymous',
  'anonymous link holder',
  'scoped key',
  'scoped key elsewhere',
  'scoped key of a former member',
  'expired key',
  'read key',
  'publish key',
] as const
export type Caller = (typeof callers)[number]

/** The objects for which routes are called: an analysis with everything below it. */
export interface Target {
  organization: string
  workspace: string
  analysis: string
  figure: string
  asset: string
  revision: string
  asset_revision: string
  data: string
  /** A comment of the owner on the figure. */
  comment: string
  reaction: string
  /** It tells the revision, and has one version. */
  story: string
  isLinked: boolean
}

/**
 * A workspace of an organization, with one caller per role. The keys belong to the owner: one for the workspace,
 * one for another workspace, and an expired unlimited one; another key for the workspace belongs to a former
 * member. The keys with less than full access are not limited to a workspace, so that only their access matters.
 */
export interface MatrixFixture {
  as: Record<Caller, Client>
  /** Objects shared by link for link holders, otherwise objects shared with one user. */
  targetFor(caller: Caller): Target
  owner: TestUser
  orgAdmin: TestUser
  /** A user without a role, for the routes of members and shares. */
  spare: TestUser
  /** The default plan, which anybody may choose. */
  plan: string
}

const inWorkspace = ['admin', 'creator', 'viewer'] as const
const inOrganization = ['workspace_admin', 'workspace_creator', 'workspace_viewer'] as const

export async function createMatrixFixture(): Promise<MatrixFixture> {
  const [owner, orgAdmin, shared, linkHolder, stranger, spare] = await signUpMany(6)
  const organization = (await newOrganization(orgAdmin.api)).api_id
  const members = (of: string) => `${of}/members`
  const add = (by: TestUser, to: string, { username }: TestUser, membership_type: string) =>
    by.api.post(`${members(to)}/add/`, { username, membership_type }, 200)

  // The owner creates the workspace as a member of the organization, and then leaves the organization.
  const ofOrganization = `organization/${organization}`
  await add(orgAdmin, ofOrganization, owner, 'workspace_creator')
  const workspace = (await newWorkspace(owner.api, 'Matrix', organization)).api_id
  const { username } = owner
  await orgAdmin.api.post(`${members(ofOrganization)}/remove/`, { username }, 200)

  const people = new Map<string, TestUser>()
  for (const role of inWorkspace) {
    const person = await signUp()
    people.set(role, person)
    await add(owner, `workspace/${workspace}`, person, role)
  }
  for (const role of inOrganization) {
    const person = await signUp()
    people.set(role, person)
    await add(orgAdmin, ofOrganization, person, role)
  }

  const { body: plans } = await owner.api.get<{ api_id: string; is_default: boolean }[]>('plan/')
  const plan = plans.find(({ is_default }) => is_default)?.api_id ?? ''

  const place = { organization, workspace }
  const unlinked = { ...place, ...(await newTarget(owner.api, workspace)), isLinked: false }
  const linked = { ...place, ...(await newTarget(owner.api, workspace)), isLinked: true }
  const share = { username: shared.username, sharing_enabled: true }
  for (const kind of ['analysis', 'asset', 'story'] as const) {
    await owner.api.post(`${kind}/${unlinked[kind]}/share/user/`, share, 200)
    await owner.api.post(`${kind}/${linked[kind]}/share/link/`, { enabled: true }, 200)
  }

  const elsewhere = (await newWorkspace(owner.api)).api_id
  const expiry = Date.now() + 4000
  const expired = await newApiKey(owner.api, { expiry: new Date(expiry).toISOString() })
  await callerWith(expired).get('workspace/')
  const scoped = await newApiKey(owner.api, { workspace })
  const scopedElsewhere = await newApiKey(owner.api, { workspace: elsewhere })
  const reading = await newApiKey(owner.api, { access: 'read' })
  const publishing = await newApiKey(owner.api, { access: 'publish' })
  const ofFormer = await keyOfFormerMember(owner, workspace)
  await delay(expiry + 100 - Date.now())

  const apiOf = (role: string) => {
    const person = people.get(role)
    if (!person) throw new Error(`no user with role ${role}`)
    return person.api
  }
  return {
    as: {
      owner: owner.api,
      admin: apiOf('admin'),
      creator: apiOf('creator'),
      viewer: apiOf('viewer'),
      org_admin: orgAdmin.api,
      workspace_admin: apiOf('workspace_admin'),
      workspace_creator: apiOf('workspace_creator'),
      workspace_viewer: apiOf('workspace_viewer'),
      shared: shared.api,
      'link holder': linkHolder.api,
      stranger: stranger.api,
      anonymous: client(LATEST),
      'anonymous link holder': client(LATEST),
      'scoped key': callerWith(scoped),
      'scoped key elsewhere': callerWith(scopedElsewhere),
      'scoped key of a former member': callerWith(ofFormer),
      'expired key': callerWith(expired),
      'read key': callerWith(reading),
      'publish key': callerWith(publishing),
    },
    targetFor: (caller) => (caller.endsWith('link holder') ? linked : unlinked),
    owner,
    orgAdmin,
    spare,
    plan,
  }
}

/** Creates and uses a key of a member, who then leaves the workspace. */
async function keyOfFormerMember(owner: TestUser, workspace: string) {
  const former = await signUp()
  const member = { username: former.username, membership_type: 'creator' }
  const path = `workspace/${workspace}/`
  await owner.api.post(`${path}members/add/`, member, 200)
  const key = await newApiKey(former.api, { workspace })
  await callerWith(key).get(path)
  await owner.api.post(`${path}members/remove/`, member, 200)
  return key
}

async function signUpMany(count: 6) {
  const people = await Promise.all(Array.from({ length: count }, () => signUp()))
  return people as [TestUser, TestUser, TestUser, TestUser, TestUser, TestUser]
}

async function newTarget(owner: Client, workspace: string) {
  const { api_id: analysis } = await newAnalysis(owner, workspace)
  const { api_id: figure } = await newFigure(owner, analysis)
  const asset = (await newAsset(owner, workspace)).api_id
  const revision = await publish(owner, figure, [image(png(20, 20))])
  const { api_id: asset_revision } = await publishAsset(owner, asset, [file(Buffer.from('1,2'))])
  const data = at(revision.data, 0).api_id
  const { id: comment } = await newComment(owner, 'figure', figure)
  const { id: reaction } = await newReaction(owner, comment)
  const { api_id: story } = await newStory(owner, workspace, { revisions: [revision.api_id] })
  const published = { revision: revision.api_id, asset_revision, data }
  return { analysis, figure, asset, ...published, comment, reaction, story }
}

import { upload } from '@figbase/client'
import { newApiKey } from '../api-keys.js'
import type { Client } from '../client.js'
import { newComment, newReaction } from '../comments.js'
import { deployment } from '../deployment.js'
import { exportStory } from '../exports.js'
import { png } from '../images.js'
import { newMetadataProxy } from '../metadata-proxies.js'
import {
  at,
  code,
  file,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newOrganization,
  newWorkspace,
  publish,
  publishAsset,
  table,
} from '../publish.js'
import { newSshKey } from '../ssh-keys.js'
import { newStory } from '../stories.js'
import { newUpload } from '../uploads.js'
import { signUp, type TestUser } from '../users.js'
import type { Values } from './known-values.js'
import { newPlan } from './new-plan.js'

/** Users with at least one object of each type. */
export type World = {
  owner: TestUser
  other: TestUser
  staff: Client
  values: Values
  /** Names an account whose profile may change. */
  guest: Values
  /** The username of an account that staff may deactivate. */
  subject: string
}

/** The types of objects with an activity log. */
const logged = [
  'organization',
  'workspace',
  'analysis',
  'figure',
  'revision',
  'asset',
  'asset_revision',
  'story',
  'data',
]

export async function newWorld(staff: Client): Promise<World> {
  const [owner, member, other, guest, subject] = await signUpMany()
  const me = owner.api
  const organization = (await newOrganization(me)).api_id
  const workspace = (await newWorkspace(me)).api_id
  const path = `workspace/${workspace}`
  const role = { username: member.username, membership_type: 'viewer' }
  await me.post(`${path}/members/add/`, role, 200)
  const analysis = (await newAnalysis(me, workspace)).api_id
  const figure = (await newFigure(me, analysis)).api_id
  const asset = (await newAsset(me, workspace)).api_id
  const data = [image(png(20, 20)), code(Buffer.from('x = 1\n')), table('a,b\n1,2\n')]
  const revision = await publish(me, figure, data)
  const assetRevision = await publishAsset(me, asset, [file(Buffer.from('a,b\n1,2\n'), 'a.csv')])
  const told = { revisions: [revision.api_id] }
  const story = await newStory(me, workspace, told)
  const comment = (await newComment(me, 'figure', figure)).id
  const { task, url } = await exportStory(owner.figbase, story.api_id)
  const plan = await newPlan(staff)
  const { body: promotion } = await staff.post<{ promotion_code: string }>('promotion_code/', {
    plan,
  })
  const key = await newApiKey(me)
  const values: Values = {
    host: deployment.origin.host,
    soon: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    ...(await valuesOf(owner)),
    other: other.username,
    organization,
    workspace,
    analysis,
    figure,
    asset,
    revision: revision.api_id,
    asset_revision: assetRevision.api_id,
    data: at(revision.data, 0).api_id,
    story: story.api_id,
    slide: story.slides[0]?.slide_id ?? 'none',
    comment,
    reaction: (await newReaction(me, comment)).id,
    tasks: task,
    export: segmentOf(url),
    plan,
    promotion_code: promotion.promotion_code,
    api_key: key.api_id,
    ssh_key: (await newSshKey(me)).api_id,
    metadata: segmentOf(await newMetadataProxy(me)),
    upload: segmentOf(await newUpload(me, { figure }, 100)),
    upload_done: segmentOf(await upload(owner.figbase, { figure }, 'a,b')),
    invitation_workspace: (await newInvitation(me, 'workspace', workspace)).token,
    invitation_organization: (await newInvitation(me, 'organization', organization)).token,
    authorization_member: member.api.authorization ?? '',
    authorization_other: other.api.authorization ?? '',
    authorization_key: `Token ${key.token}`,
    authorization_staff: staff.authorization ?? '',
  }
  for (const kind of logged) {
    const { body } = await me.get<{ api_id: string }[]>(`${kind}/${values[kind]}/log/`)
    values[`${kind}_log`] = body[0]?.api_id ?? ''
  }
  return { owner, other, staff, values, guest: await valuesOf(guest), subject: subject.username }
}

const signUpMany = () => Promise.all([signUp(), signUp(), signUp(), signUp(), signUp()])

/** The values that name an account and its credentials. */
export async function valuesOf({ username, password, tokens, api }: TestUser): Promise<Values> {
  const path = `account/${username}/sessions/`
  const { body: sessions } = await api.get<{ id: string }[]>(path)
  return {
    username,
    password,
    refresh: tokens.refresh,
    sessions: sessions[0]?.id ?? '',
    authorization_owner: api.authorization ?? '',
  }
}

/** The last segment of a path. */
export const segmentOf = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? ''

const levels = { workspace: 'viewer', organization: 'workspace_viewer' } as const

/** Invites somebody who has no account. */
export async function newInvitation(
  me: Client,
  kind: keyof typeof levels,
  id: string,
): Promise<{ api_id: string; token: string }> {
  const email = `${crypto.randomUUID()}@example.org`
  const body = { email, membership_type: levels[kind], [kind]: id }
  const { body: invitation } = await me.post<{ api_id: string; token: string }>(
    `invitations/${kind}/`,
    body,
  )
  return invitation
}

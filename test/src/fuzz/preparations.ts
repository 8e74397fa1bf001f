import { newApiKey } from '../api-keys.js'
import { either } from '../client.js'
import { newComment, newReaction } from '../comments.js'
import { startExport } from '../exports.js'
import { newMetadataProxy } from '../metadata-proxies.js'
import {
  newAnalysis,
  newAsset,
  newAssetRevision,
  newFigure,
  newOrganization,
  newRevision,
  newWorkspace,
} from '../publish.js'
import { newSshKey, sshKeyToSend } from '../ssh-keys.js'
import { newStory } from '../stories.js'
import { newUpload } from '../uploads.js'
import { signUp } from '../users.js'
import type { Values } from './known-values.js'
import { newPlan } from './new-plan.js'
import type { Kind } from './plans.js'
import { newInvitation, segmentOf, valuesOf, type World } from './world.js'

/** Makes the objects that a request uses up; returns the values that name them. */
type Prepare = (world: World) => Promise<Values>

/** New objects of each type that can be deleted and restored. */
const create: Record<string, (world: World) => Promise<string>> = {
  organization: async ({ owner }) => (await newOrganization(owner.api)).api_id,
  workspace: async ({ owner }) => (await newWorkspace(owner.api)).api_id,
  analysis: async ({ owner, values }) =>
    (await newAnalysis(owner.api, values.workspace ?? '')).api_id,
  figure: async ({ owner, values }) => (await newFigure(owner.api, values.analysis ?? '')).api_id,
  revision: async ({ owner, values }) => (await newRevision(owner.api, values.figure ?? '')).api_id,
  asset: async ({ owner, values }) => (await newAsset(owner.api, values.workspace ?? '')).api_id,
  asset_revision: async ({ owner, values }) =>
    (await newAssetRevision(owner.api, values.asset ?? '')).api_id,
  story: async ({ owner, values }) => (await newStory(owner.api, values.workspace ?? '')).api_id,
  comment: async ({ owner, values }) =>
    (await newComment(owner.api, 'figure', values.figure ?? '')).id,
  api_key: async ({ owner }) => (await newApiKey(owner.api)).api_id,
  ssh_key: async ({ owner }) => (await newSshKey(owner.api)).api_id,
  upload: async ({ owner, values }) =>
    segmentOf(await newUpload(owner.api, { figure: values.figure ?? '' }, 100)),
  metadata: async ({ owner }) => segmentOf(await newMetadataProxy(owner.api)),
  plan: ({ staff }) => newPlan(staff),
}

const ofNew =
  (kind: string): Prepare =>
  async (world) => ({ [kind]: (await create[kind]?.(world)) ?? '' })

const ofDeleted =
  (kind: string): Prepare =>
  async (world) => {
    const id = (await create[kind]?.(world)) ?? ''
    await world.owner.api.delete(`${kind}/${id}/`)
    return { [kind]: id }
  }

/** An account that the request may delete or sign out. */
const ofNewUser: Prepare = async () => valuesOf(await signUp())

const ofMember =
  (kind: 'workspace' | 'organization', isMember: boolean): Prepare =>
  async ({ owner, other, values }) => {
    const path = `${kind}/${values[kind]}/members/${isMember ? 'add' : 'remove'}/`
    const level = { workspace: 'viewer', organization: 'workspace_viewer' }[kind]
    const member = { username: other.username, membership_type: level }
    await owner.api.post(path, member, either('it may already be so', 200, 400, 409))
    return {}
  }

/** An invitation by another user, which the caller may accept. */
const ofInvitation =
  (kind: 'workspace' | 'organization'): Prepare =>
  async ({ other }) => {
    const make = kind === 'workspace' ? newWorkspace : newOrganization
    const { api_id } = await make(other.api)
    return { [`invitation_${kind}`]: (await newInvitation(other.api, kind, api_id)).token }
  }

const ofOwnInvitation =
  (kind: 'workspace' | 'organization'): Prepare =>
  async ({ owner, values }) => ({
    [`invitation_${kind}`]: (await newInvitation(owner.api, kind, values[kind] ?? '')).api_id,
  })

const ofReaction: Prepare = async ({ owner, values }) => {
  const { id } = await newComment(owner.api, 'figure', values.figure ?? '')
  return { reaction: (await newReaction(owner.api, id)).id }
}

const ofPromotion: Prepare = async (world) => {
  const { staff, values } = world
  const { body } = await staff.post<{ promotion_code: string }>('promotion_code/', {
    plan: values.plan ?? '',
  })
  return { promotion_code: body.promotion_code, ...(await ofNew('workspace')(world)) }
}

const ofTask: Prepare = async ({ owner, values }) => ({
  tasks: await startExport(owner.figbase, values.story ?? '', 'markdown'),
})

const ofLink: Prepare = async ({ owner, values }) => {
  const assets = [{ asset_revision: values.asset_revision }]
  await owner.api.patch(`revision/${values.revision}/`, { assets })
  return {}
}

const ofSshKey: Prepare = async () => ({ private_key: sshKeyToSend().private_key })

const preparations: [RegExp, (match: string[]) => Prepare][] = [
  [/^DELETE \/promotion_code\//, () => ofPromotion],
  [/^POST \/workspace\/\{id\}\/promotion\//, () => ofPromotion],
  [/^DELETE \/reaction\//, () => ofReaction],
  [/^POST \/tasks\/\{task_id\}\/cancel\//, () => ofTask],
  [/^DELETE \/invitations\/(\w+)\//, ([, kind]) => ofOwnInvitation(kind as 'workspace')],
  [/^GET \/invitations\/(\w+)\//, ([, kind]) => ofOwnInvitation(kind as 'workspace')],
  [
    /^POST \/invitations\/(\w+)\/\{key\}\/accept\//,
    ([, kind]) => ofInvitation(kind as 'workspace'),
  ],
  [/^DELETE \/(\w+)\/\{(id|api_id|token)\}\/$/, ([, kind = '']) => ofNew(kind)],
  [/^POST \/(\w+)\/\{id\}\/restore\//, ([, kind = '']) => ofDeleted(kind)],
  [/^(POST|PATCH) \/(\w+)\/\{id\}\/(subscription|storage)\/$/, ([, , kind = '']) => ofNew(kind)],
  [/^(PUT|PATCH) \/(plan)\//, ([, , kind = '']) => ofNew(kind)],
  [/^PATCH \/(upload)\//, ([, kind = '']) => ofNew(kind)],
  [/^POST \/asset_revision\/\{id\}\/unlink_figure\//, () => ofLink],
  [/^POST \/ssh_key\//, () => ofSshKey],
  [/^DELETE \/(user|account)\//, () => ofNewUser],
  [
    /^POST \/(workspace|organization)\/\{id\}\/members\/add\//,
    ([, kind]) => ofMember(kind as 'workspace', false),
  ],
  [
    /^POST \/(workspace|organization)\/\{id\}\/members\/(change|remove)\//,
    ([, kind]) => ofMember(kind as 'workspace', true),
  ],
]

const ofProfile = /^(PUT|PATCH) \/user\/\{username\}\/$|\/verify_email\/$/
const ofState = /\/user\/\{username\}\/(activate|deactivate|staff)\/$/

/** Operations that would change the common objects even if something in the request is wrong. */
const usesUp = /^DELETE|\/(subscription|storage|promotion)\/$/

/** The values of the world, with objects for this operation only if it uses them up. */
export async function prepared(world: World, operation: string, kind: Kind): Promise<Values> {
  if (ofProfile.test(operation)) return { ...world.values, ...world.guest }
  if (ofState.test(operation)) return { ...world.values, username: world.subject }
  if (kind !== 'valid' && !usesUp.test(operation)) return world.values
  for (const [pattern, prepare] of preparations) {
    const match = pattern.exec(operation)
    if (match) return { ...world.values, ...(await prepare(match)(world)) }
  }
  return world.values
}

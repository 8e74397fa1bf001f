import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { newApiKey } from './api-keys.js'
import { Canaries } from './canaries.js'
import {
  formerMembers,
  governors,
  insiders,
  type People,
  type Planted,
  type Reader,
  readersOf,
  signUpAll,
} from './canary-people.js'
import { type Segment, shareAmongOthers, type Talk, type Thing } from './canary-shares.js'
import type { Client } from './client.js'
import { newMailbox } from './mailboxes.js'
import { processed } from './publish.js'
import { newSshKey } from './ssh-keys.js'
import { begin } from './uploads.js'

/** An organization with a workspace in which things are shared, and everything around it; a canary in every text. */
export interface CanaryWorld {
  canaries: Planted
  people: People
  as: Record<Reader, Client>
  things: Thing[]
  talks: Talk[]
  assetNames: string[]
  digests: string[]
  /** By the id of the object in whose log they stand. */
  entries: Map<string, string[]>
  invitations: { workspace: string; organization: string }
  keys: string[]
  sshKeys: string[]
  mailbox: string
  upload: string
  tasks: string[]
}

export async function createCanaryWorld(): Promise<CanaryWorld> {
  const canaries: Planted = new Canaries<Reader>()
  const people = await signUpAll(canaries)
  const { governor, owner, colleague, member, commenter, neighbour, former } = people
  const things: Thing[] = []
  const make = async (
    me: Client,
    segment: Segment,
    place: string,
    readers: readonly Reader[],
    more: object = {},
    shownTo = readers,
  ) => {
    const text = (what: string) => canaries.plant(`${what} of the ${place}`, readers, { shownTo })
    const body = { name: text('name'), description: text('description'), ...more }
    const { api_id: id } = (await me.post<{ api_id: string }>(`${segment}/`, body)).body
    things.push({ segment, id, place, readers: shownTo })
    return id
  }
  const change = (me: Client, path: string, { username }: { username: string }, level = '') => {
    const action = level ? 'add' : 'remove'
    const body = { username, ...(level && { membership_type: level }) }
    return me.post(`${path}/members/${action}/`, body, 200)
  }

  const organization = await make(governor.api, 'organization', 'organization', governors)
  // The owner makes the workspace as a member of the organization, and is none afterwards.
  const above = `organization/${organization}`
  await change(governor.api, above, owner, 'workspace_creator')
  const workspace = await make(owner.api, 'workspace', 'workspace', insiders, { organization })
  await change(governor.api, above, owner)
  const neighbours: Reader[] = [...governors, 'member of another workspace']
  const other = await make(governor.api, 'workspace', 'other workspace', neighbours, {
    organization,
  })
  await change(governor.api, `workspace/${other}`, neighbour, 'viewer')
  const within = `workspace/${workspace}`
  for (const one of [colleague, former]) await change(owner.api, within, one, 'creator')
  for (const one of [member, commenter]) await change(owner.api, within, one, 'viewer')
  // Who leaves keeps in the export of their account what they did.
  const known = [...insiders, ...formerMembers]
  await make(
    former.api,
    'analysis',
    'analysis of the former member',
    known,
    { workspace },
    insiders,
  )
  const as = await readersOf(people, workspace, canaries)
  await change(owner.api, within, former)

  const shared = await Promise.all(
    (['user', 'link'] as const).map((way) => shareAmongOthers(way, workspace, people, canaries)),
  )
  for (const one of shared) things.push(...one.things)
  const talks = shared.flatMap((one) => one.talks)
  const entries = await logsOf(owner.api, things, talks, canaries)

  const address = (place: string, readers: Reader[]) =>
    `${canaries.plant(`address that is invited to the ${place}`, readers)}@example.org`
  const invite = async (me: Client, circle: 'workspace' | 'organization', id: string) => {
    const readers: Reader[] = circle === 'workspace' ? [...governors, 'owner'] : governors
    const membership_type = circle === 'workspace' ? 'viewer' : 'workspace_viewer'
    const body = { email: address(circle, readers), membership_type, [circle]: id }
    return (await me.post<{ api_id: string }>(`invitations/${circle}/`, body)).body.api_id
  }
  const own = (what: string) => canaries.plant(`${what} of the owner`, ['owner'])
  const mailbox = await newMailbox(owner.api)
  await owner.api.post(mailbox, { metadata: { note: own('metadata in a mailbox') } }, 200)
  const figure = things.find(({ segment }) => segment === 'figure')?.id ?? ''
  const upload = await begin(owner.api, { figure, filename: own('file name of an upload') }, 1)

  return {
    canaries,
    people,
    as,
    things,
    talks,
    assetNames: shared.flatMap((one) => one.assetNames),
    digests: await digestsOf(owner.api, things),
    entries,
    invitations: {
      workspace: await invite(owner.api, 'workspace', workspace),
      organization: await invite(governor.api, 'organization', organization),
    },
    keys: [(await newApiKey(owner.api, { name: own('name of an API key') })).api_id],
    sshKeys: [(await newSshKey(owner.api, { name: own('name of an SSH key') })).api_id],
    mailbox,
    upload: upload.headers.get('location') ?? '',
    tasks: [await assign(owner.api, things)],
  }
}

/** The entries about each object, when those of all comments have come. */
async function logsOf(owner: Client, things: Thing[], talks: Talk[], canaries: Planted) {
  const entries = new Map<string, string[]>()
  const read = async ({ segment, id, readers }: Thing) => {
    if (segment === 'organization' || segment === 'data') return
    if (!readers.includes('owner')) {
      await owner.get(`${segment}/${id}/log/`, 403)
      entries.set(id, [])
      return
    }
    const said = talks.filter(({ target }) => target.id === id)
    const log = await logOf(owner, `${segment}/${id}/log/`, id, said.length)
    entries.set(
      id,
      log.map((entry) => entry.api_id),
    )
    for (const { api_id, action } of log) {
      const [talk] = said
      if (!talk || !action.startsWith('comment')) continue
      canaries.add(api_id, `entry of the log about a comment on ${talk.target.place}`, talk.readers)
    }
  }
  await Promise.all(things.map(read))
  return entries
}

type Entry = { api_id: string; action: string; target_id: string }

/** The entries about an object itself, with at least so many of comments that were written. */
async function logOf(owner: Client, path: string, id: string, comments: number) {
  for (const end = Date.now() + 30_000; ; await delay(50)) {
    const { body } = await owner.get<Entry[]>(path)
    const own = body.filter(({ target_id }) => target_id === id)
    const written = own.filter(({ action }) => action === 'comment_create')
    if (written.length >= comments) return own
    assert.ok(Date.now() < end, `comments are missing in ${path}`)
  }
}

async function digestsOf(owner: Client, things: Thing[]) {
  const data = things.filter(({ segment }) => segment === 'data')
  const all = data.map(
    async ({ id }) => (await owner.get<{ hash: string }>(`data/${id}/`)).body.hash,
  )
  return [...new Set(await Promise.all(all))]
}

/** The task that finds a figure for a revision. */
async function assign(me: Client, things: Thing[]) {
  const analysis = things.find(({ place }) => place.startsWith('analysis above'))?.id
  const made = await me.post<{ api_id: string }>('revision/auto-assign/', { analysis, data: [] })
  await processed(me, made.body.api_id)
  const [task] = (await me.get<{ task_id: string }[]>('tasks/')).body
  assert.ok(task)
  return task.task_id
}

import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { newApiKey } from './api-keys.js'
import type { Client } from './client.js'
import { type ExportFormat, exportStory } from './exports.js'
import { figbaseLike } from './figbase.js'
import { newRepository } from './git-repositories.js'
import { LeakDetector } from './leak-detector.js'
import { thirdOfEachKind } from './leak-sample.js'
import { createShared, type Segment, type TestComment, type TestObject } from './leak-shares.js'
import {
  formerMembers,
  governors,
  insiders,
  type People,
  type Reader,
  type ReaderLeakDetector,
  readersOf,
  signUpAll,
} from './leak-users.js'
import { newMetadataProxy } from './metadata-proxies.js'
import { withoutPdf } from './pdf.js'
import { processed } from './publish.js'
import { newSshKey } from './ssh-keys.js'
import { beginUpload } from './uploads.js'
import { newWebhook } from './webhooks.js'

/** An organization with a workspace with shared and private objects of all types; every text contains a marker. */
export interface LeakFixture {
  detector: ReaderLeakDetector
  people: People
  as: Record<Reader, Client>
  objects: TestObject[]
  comments: TestComment[]
  assetNames: string[]
  /** The hashes of all data of assets, and of some of figures, which the search for assets must not find. */
  digests: string[]
  /** The log entries by object id. */
  entries: Map<string, string[]>
  invitations: { workspace: string; organization: string }
  keys: string[]
  sshKeys: string[]
  /** Webhooks, and their places for those who manage them. */
  webhooks: { id: string; object: Pick<TestObject, 'readers' | 'place'> }[]
  /** Git repositories, and their analyses for those who may create figures there. */
  repositories: { id: string; object: Pick<TestObject, 'readers' | 'place'> }[]
  metadataProxy: string
  upload: string
  tasks: string[]
  /** Of each story, one in each format by each reader. Their texts are not compressed. */
  exports: StoryExport[]
}

export interface StoryExport {
  path: string
  object: TestObject
  format: ExportFormat
  /** Who exported it. */
  reader: Reader
}

export async function createLeakFixture(): Promise<LeakFixture> {
  const detector: ReaderLeakDetector = new LeakDetector<Reader>()
  const people = await signUpAll(detector)
  const { governor, owner, colleague, member, commenter, peer, former } = people
  const objects: TestObject[] = []
  const createNode = async (
    me: Client,
    segment: Segment,
    place: string,
    readers: readonly Reader[],
    more: object = {},
    shownTo = readers,
  ) => {
    const text = (what: string) =>
      detector.createMarker(`${what} of the ${place}`, readers, { shownTo })
    const body = { name: text('name'), description: text('description'), ...more }
    const { api_id: id } = (await me.post<{ api_id: string }>(`${segment}/`, body)).body
    const kind = segment === 'analysis' ? 'private' : place
    objects.push({ segment, id, place, readers: shownTo, kind })
    return id
  }
  const changeMember = (
    me: Client,
    path: string,
    { username }: { username: string },
    level = '',
  ) => {
    const action = level ? 'add' : 'remove'
    const body = { username, ...(level && { membership_type: level }) }
    return me.post(`${path}/members/${action}/`, body, 200)
  }

  const organization = await createNode(governor.api, 'organization', 'organization', governors)
  // The owner creates the workspace as a member of the organization, and then leaves the organization.
  const above = `organization/${organization}`
  await changeMember(governor.api, above, owner, 'workspace_creator')
  const workspace = await createNode(owner.api, 'workspace', 'workspace', insiders, {
    organization,
  })
  await changeMember(governor.api, above, owner)
  const peers: Reader[] = [...governors, 'member of another workspace']
  const other = await createNode(governor.api, 'workspace', 'other workspace', peers, {
    organization,
  })
  await changeMember(governor.api, `workspace/${other}`, peer, 'viewer')
  const within = `workspace/${workspace}`
  for (const one of [colleague, former]) await changeMember(owner.api, within, one, 'creator')
  for (const one of [member, commenter]) await changeMember(owner.api, within, one, 'viewer')
  // The account export of a former member still contains their objects.
  const known = [...insiders, ...formerMembers]
  await createNode(
    former.api,
    'analysis',
    'analysis of the former member',
    known,
    { workspace },
    insiders,
  )
  const as = await readersOf(people, workspace, detector)
  await changeMember(owner.api, within, former)

  const shared = await Promise.all(
    (['user', 'link'] as const).map((shareType) =>
      createShared(shareType, workspace, people, detector),
    ),
  )
  for (const one of shared) objects.push(...one.objects)
  const comments = shared.flatMap((one) => one.comments)
  const entries = await logsOf(owner.api, objects, comments, detector)

  const address = (place: string, readers: Reader[]) =>
    `${detector.createMarker(`address that is invited to the ${place}`, readers)}@example.org`
  const invite = async (me: Client, segment: 'workspace' | 'organization', id: string) => {
    const readers: Reader[] = segment === 'workspace' ? [...governors, 'owner'] : governors
    const membership_type = segment === 'workspace' ? 'viewer' : 'workspace_viewer'
    const body = { email: address(segment, readers), membership_type, [segment]: id }
    return (await me.post<{ api_id: string }>(`invitations/${segment}/`, body)).body.api_id
  }
  const managers: Reader[] = [...governors, 'owner']
  const receiver = detector.createMarker('address of a webhook', managers)
  const more = { url: `http://localhost:9/${receiver}`, payload: 'full', events: ['*'] }
  const payer = detector.createMarker('name on the invoices of an organization', governors)
  await governor.api.patch(`organization/${organization}/billing/`, { name: payer })
  const webhook = await newWebhook(owner.api, { workspace }, more)
  await owner.api.post(`webhook/${webhook.api_id}/test/`, {}, 201)
  const origin = detector.createMarker('address of a repository', managers)
  const analysis =
    objects.find(({ segment, readers }) => segment === 'analysis' && readers.includes('owner'))
      ?.id ?? ''
  const repository = await newRepository(
    owner.api,
    { analysis },
    { url: `https://localhost:9/${origin}` },
  )
  const own = (what: string) => detector.createMarker(`${what} of the owner`, ['owner'])
  const metadataProxy = await newMetadataProxy(owner.api)
  await owner.api.post(metadataProxy, { metadata: { note: own('metadata of a proxy') } }, 200)
  const figure = objects.find(({ segment }) => segment === 'figure')?.id ?? ''
  const upload = await beginUpload(
    owner.api,
    { figure, filename: own('file name of an upload') },
    1,
  )

  return {
    detector,
    people,
    as,
    objects,
    comments,
    assetNames: shared.flatMap((one) => one.assetNames),
    digests: await digestsOf(owner.api, objects),
    entries,
    invitations: {
      workspace: await invite(owner.api, 'workspace', workspace),
      organization: await invite(governor.api, 'organization', organization),
    },
    keys: [(await newApiKey(owner.api, { name: own('name of an API key') })).api_id],
    sshKeys: [(await newSshKey(owner.api, { name: own('name of an SSH key') })).api_id],
    webhooks: [{ id: webhook.api_id, object: { readers: managers, place: 'webhook' } }],
    repositories: [{ id: repository.api_id, object: { readers: managers, place: 'repository' } }],
    metadataProxy,
    upload: upload.headers.get('location') ?? '',
    tasks: [await assign(owner.api, objects)],
    exports: await exportsOf(as, objects),
  }
}

/** Reads the log entries of each object, when those of all comments are there. */
async function logsOf(
  owner: Client,
  objects: TestObject[],
  comments: TestComment[],
  detector: ReaderLeakDetector,
) {
  const entries = new Map<string, string[]>()
  const read = async ({ segment, id, readers }: TestObject) => {
    if (segment === 'organization' || segment === 'data') return
    if (!readers.includes('owner')) {
      await owner.get(`${segment}/${id}/log/`, 403)
      entries.set(id, [])
      return
    }
    const written = comments.filter(({ target }) => target.id === id)
    const log = await logOf(owner, `${segment}/${id}/log/`, id, written.length)
    entries.set(
      id,
      log.map((entry) => entry.api_id),
    )
    for (const { api_id, action } of log) {
      const [comment] = written
      if (!comment || !action.startsWith('comment')) continue
      detector.add(
        api_id,
        `entry of the log about a comment on ${comment.target.place}`,
        comment.readers,
      )
    }
  }
  await Promise.all(objects.map(read))
  return entries
}

type Entry = { api_id: string; action: string; target_id: string }

/** Waits until the log of an object has entries of this many comments, and returns its own entries. */
async function logOf(owner: Client, path: string, id: string, commentsMin: number) {
  for (const end = Date.now() + 30_000; ; await delay(50)) {
    const { body } = await owner.get<Entry[]>(path)
    const own = body.filter(({ target_id }) => target_id === id)
    const written = own.filter(({ action }) => action === 'comment_create')
    if (written.length >= commentsMin) return own
    assert.ok(Date.now() < end, `comments are missing in ${path}`)
  }
}

async function digestsOf(owner: Client, objects: TestObject[]) {
  const isOfAsset = ({ parent }: TestObject) =>
    objects.some(({ id, segment }) => id === parent && segment === 'asset_revision')
  const data = objects.filter(({ segment }) => segment === 'data')
  const ofFigures = data.filter((one) => !isOfAsset(one))
  const hashed = [...data.filter(isOfAsset), ...thirdOfEachKind(ofFigures, ({ kind }) => kind, 0)]
  const all = hashed.map(
    async ({ id }) => (await owner.get<{ hash: string }>(`data/${id}/`)).body.hash,
  )
  return [...new Set(await Promise.all(all))]
}

/** Creates a task that assigns a revision to a figure. */
async function assign(me: Client, objects: TestObject[]) {
  const analysis = objects.find(({ place }) => place.startsWith('analysis above'))?.id
  const made = await me.post<{ api_id: string }>('revision/auto-assign/', { analysis, data: [] })
  await processed(me, made.body.api_id)
  const [task] = (await me.get<{ task_id: string }[]>('tasks/')).body
  assert.ok(task)
  return task.task_id
}

async function exportsOf(as: Record<Reader, Client>, objects: TestObject[]) {
  const stories = objects.filter(({ segment }) => segment === 'story')
  const pairs = stories.flatMap((object) =>
    object.readers
      // A key for one workspace starts no tasks.
      .filter((reader) => as[reader].authorization && reader !== 'key of a former member')
      .map((reader) => ({ object, reader })),
  )
  const exported = async (
    object: TestObject,
    reader: Reader,
    format: ExportFormat,
  ): Promise<StoryExport> => ({
    path: (await exportStory(figbaseLike(as[reader]), object.id, format)).url,
    object,
    format,
    reader,
  })
  const made = await Promise.all(
    pairs.flatMap(({ object, reader }) =>
      (['markdown', 'pptx'] as const).map((format) => exported(object, reader, format)),
    ),
  )
  if (withoutPdf) return made
  // Each takes seconds, so only one of each story, for a reader who may not view all that it tells.
  const isInsider = new Set<Reader>(insiders)
  for (const object of stories) {
    const other = pairs.find((pair) => pair.object === object && !isInsider.has(pair.reader))
    if (other) made.push(await exported(object, other.reader, 'pdf'))
  }
  return made
}

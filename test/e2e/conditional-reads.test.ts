import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Client } from '../src/client.js'
import { png } from '../src/images.js'
import {
  at,
  image,
  newAnalysis,
  newAsset,
  newAssetRevision,
  newFigure,
  newOrganization,
  newRevision,
  newWorkspace,
  processed,
} from '../src/publish.js'
import { type Random, randomNumbers } from '../src/random-numbers.js'
import { newStory } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

/** More with FIGBASE_STEPS; the same changes with FIGBASE_SEED. */
const steps = Number(process.env.FIGBASE_STEPS ?? 40)
const seed = Number(process.env.FIGBASE_SEED ?? Date.now() % 1_000_000)

let owner: TestUser
let reader: TestUser

before(async () => {
  owner = await signUp()
  reader = await signUp()
})

/** What a reader has of a document. */
type Copy = { etag: string; text: string }

test('a document is a 304 exactly as long as it does not change', async (t) => {
  t.diagnostic(`FIGBASE_SEED=${seed}`)
  const world = await newWorld(owner.api)
  await owner.api.post(
    `analysis/${at(world.analyses, 0)}/share/user/`,
    shareWith(reader, true),
    200,
  )
  const copies = new Map<string, Copy>()
  const random = randomNumbers(seed)
  let unchanged = 0
  for (let step = 0; step < steps; step++) {
    const change = at(changes, random(changes.length))
    const label = `${change.name}, step ${step} of seed ${seed}`
    await change(world, random, `step ${step}`)
    for (const [who, api] of [['owner', owner.api] as const, ['reader', reader.api] as const]) {
      for (const path of documentsOf(world, who)) {
        unchanged += await readAgain(api, path, copies, `${who} ${path}`, label)
      }
    }
  }
  assert.ok(unchanged > steps * 3, `only ${unchanged} reads were a 304`)
})

test('a shallow figure is a 304 when only the reasons why it is stale have changed', async () => {
  const { api } = owner
  const { figures, assets, assetRevisions } = await newWorld(api)
  const [figure, used] = [at(figures, 0), at(assetRevisions, 0)]
  const uses = [{ asset_revision: used, use_type: 'direct' }]
  await api.post('revision/', { figure, metadata: {}, data: [image(png(8, 8))], assets: uses })
  await newAssetRevision(api, at(assets, 0))
  const newest = (await newAssetRevision(api, at(assets, 0))).api_id
  const path = `figure/${figure}/`
  const before = await api.get<{ is_stale: boolean; stale_because: object[] }>(path)
  assert.equal(before.body.is_stale, true)
  const shallow = await api.get(`${path}?shallow=true`)
  await api.delete(`asset_revision/${newest}/`)
  const after = await api.get<{ is_stale: boolean; stale_because: object[] }>(path)
  assert.equal(after.body.is_stale, true)
  assert.notDeepEqual(after.body.stale_because, before.body.stale_because)
  const headers = { 'if-none-match': shallow.headers.get('etag') ?? '' }
  await api.request('GET', `${path}?shallow=true`, { headers, status: 304 })
  const changed = { 'if-none-match': before.headers.get('etag') ?? '' }
  await api.request('GET', path, { headers: changed, status: 200 })
})

/** Reads a document with the ETag of the copy; returns 1 if that was a 304. */
async function readAgain(
  api: Client,
  path: string,
  copies: Map<string, Copy>,
  key: string,
  after: string,
): Promise<number> {
  const copy = copies.get(key)
  const status = {
    why: 'it may have changed, be deleted or hidden',
    statuses: [200, 304, 403, 404],
  }
  const headers: Record<string, string> = copy ? { 'if-none-match': copy.etag } : {}
  const read = await api.request('GET', path, { headers, status })
  if (read.status === 304) {
    const { text } = await api.get(path)
    assert.equal(text, copy?.text, `${key} was a 304 and has changed, after ${after}`)
    assert.equal(read.headers.get('etag'), copy?.etag)
    return 1
  }
  if (read.status !== 200) {
    copies.delete(key)
    return 0
  }
  const etag = read.headers.get('etag') ?? ''
  assert.match(etag, /^"\d+(-[\w-]+)?"$/)
  if (copy && read.text === copy.text && copy.etag.includes('-')) {
    assert.fail(`${key} was sent again and has not changed, after ${after}`)
  }
  copies.set(key, { etag, text: read.text })
  return 0
}

type World = {
  organization: string
  workspace: string
  analyses: string[]
  figures: string[]
  revisions: string[]
  assets: string[]
  assetRevisions: string[]
  story: string
}

const shareWith = ({ username }: TestUser, enabled: boolean) => ({
  username,
  sharing_enabled: enabled,
})

function documentsOf(world: World, who: 'owner' | 'reader'): string[] {
  const below = [
    ...world.analyses.map((id) => `analysis/${id}/`),
    ...world.figures.map((id) => `figure/${id}/`),
    ...world.revisions.map((id) => `revision/${id}/`),
  ]
  if (who === 'reader') return below
  return [
    ...below,
    `organization/${world.organization}/`,
    `workspace/${world.workspace}/`,
    `workspace/${world.workspace}/?shallow=true`,
    ...world.assets.map((id) => `asset/${id}/`),
    ...world.assetRevisions.map((id) => `asset_revision/${id}/`),
    `figure/${at(world.figures, 0)}/?shallow=true`,
    `story/${world.story}/`,
  ]
}

async function newWorld(api: Client): Promise<World> {
  const organization = (await newOrganization(api)).api_id
  const workspace = (await newWorkspace(api, 'Ship', organization)).api_id
  const analyses = [
    (await newAnalysis(api, workspace)).api_id,
    (await newAnalysis(api, workspace)).api_id,
  ]
  const figure = (await newFigure(api, at(analyses, 0))).api_id
  const asset = (await newAsset(api, workspace, { analysis: analyses[0] })).api_id
  const assetRevision = (await newAssetRevision(api, asset)).api_id
  await processed(api, assetRevision, 'asset_revision')
  const revision = (await newRevision(api, figure, [image(png(8, 8))])).api_id
  await processed(api, revision)
  const { api_id: story } = await newStory(api, workspace, { revisions: [revision] })
  return {
    organization,
    workspace,
    analyses,
    figures: [figure],
    revisions: [revision],
    assets: [asset],
    assetRevisions: [assetRevision],
    story,
  }
}

type Change = (world: World, random: Random, label: string) => Promise<unknown>

const some = (ids: string[], random: Random) => at(ids, random(ids.length))
/** It may be deleted. */
const anyOutcome = {
  why: 'the object may be deleted',
  statuses: [200, 201, 204, 400, 403, 404, 409],
}

const send = (method: string, path: string, json?: unknown) =>
  owner.api.request<{ api_id: string }>(method, path, {
    ...(json !== undefined && { json }),
    status: anyOutcome,
  })

const changes: Change[] = [
  async function rename(world, random, name) {
    const { workspace, analyses, figures, assets, story, organization } = world
    const all = [
      `organization/${organization}/`,
      `workspace/${workspace}/`,
      `analysis/${some(analyses, random)}/`,
      `figure/${some(figures, random)}/`,
      `asset/${some(assets, random)}/`,
      `story/${story}/`,
    ]
    await send('PATCH', some(all, random), { name })
  },
  async function createFigure(world, random, name) {
    const { body } = await send('POST', 'figure/', { name, analysis: some(world.analyses, random) })
    if (body.api_id) world.figures.push(body.api_id)
  },
  async function createRevision(world, random) {
    const figure = some(world.figures, random)
    const assets = [{ asset_revision: some(world.assetRevisions, random), use_type: 'direct' }]
    const data = [image(png(8, 8, random(1000)))]
    const { body } = await send('POST', 'revision/', { figure, metadata: {}, data, assets })
    if (!body.api_id) return
    world.revisions.push(body.api_id)
    // Some are read while they are being processed.
    if (random(2) === 0) await processed(owner.api, body.api_id)
  },
  async function updateRevision(world, random, text) {
    await send('PATCH', `revision/${some(world.revisions, random)}/`, { metadata: { text } })
  },
  async function createAssetRevision(world, random) {
    const { body } = await send('POST', 'asset_revision/', {
      ...{ asset: some(world.assets, random), metadata: {}, data: [] },
    })
    if (body.api_id) world.assetRevisions.push(body.api_id)
  },
  async function scopeAsset(world, random) {
    const analysis = random(3) === 0 ? null : some(world.analyses, random)
    await send('PATCH', `asset/${some(world.assets, random)}/`, { analysis })
  },
  async function shareAsset(world, random) {
    const asset = some(world.assets, random)
    await send('POST', `asset/${asset}/share/user/`, shareWith(reader, random(2) === 0))
  },
  async function moveFigure(world, random) {
    const analysis = some(world.analyses, random)
    await send('PATCH', `figure/${some(world.figures, random)}/`, { analysis })
  },
  async function removeAndRestore(world, random) {
    const { figures, revisions, assets, assetRevisions } = world
    const all = [
      ...figures.slice(1).map((id) => `figure/${id}/`),
      ...revisions.map((id) => `revision/${id}/`),
      ...assets.map((id) => `asset/${id}/`),
      ...assetRevisions.map((id) => `asset_revision/${id}/`),
    ]
    const path = some(all, random)
    const isDeleted = (await send('GET', path)).status === 404
    await (isDeleted ? send('POST', `${path}restore/`, {}) : send('DELETE', path))
  },
  async function confirmFigure(world, random, reason) {
    await send('POST', `figure/${some(world.figures, random)}/still_right/`, { reason })
  },
  async function tell(world, random, name) {
    await send('PATCH', `story/${world.story}/`, {
      name,
      revisions: world.revisions.filter(() => random(2) === 0),
    })
  },
  async function createAnalysis(world, _random, name) {
    if (world.analyses.length > 3) return
    const { workspace } = world
    const { body } = await send('POST', 'analysis/', { name, workspace })
    if (body.api_id) world.analyses.push(body.api_id)
  },
]

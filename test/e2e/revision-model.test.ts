import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { blake3 } from 'hash-wasm'
import { at, file, newAsset, newFigure, newPlace, type Place } from '../src/publish.js'
import type { AssetRevision, DataObject, Figure, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

const steps = 100
const writers = 8

/** A data object in the model. */
type Stored = { id: string; hash: string; size: number }
/** The expected revision. Links are stored only with the figure revision. */
type Known = {
  segment: 'revision' | 'asset_revision'
  parent: string
  index: number
  data: Stored[]
  links: Map<string, string>
}

let alice: TestUser
let place: Place
let figures: string[]
let assets: string[]
const known = new Map<string, Known>()
const made = new Map<string, number>()
/** The replaced object, and its revision. */
const detached = new Map<string, string>()

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  const second = await newFigure(alice.api, place.analysis.api_id)
  figures = [place.figure.api_id, second.api_id]
  assets = [
    (await newAsset(alice.api, place.workspace.api_id)).api_id,
    (await newAsset(alice.api, place.workspace.api_id)).api_id,
  ]
})

/** A seeded random generator. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  const one = <T>(list: readonly T[]) => list[below(list.length)]
  return { below, one }
}
type Random = ReturnType<typeof createRandom>

const idsOf = (segment: Known['segment']) =>
  [...known].flatMap(([id, one]) => (one.segment === segment ? [id] : []))

async function randomData({ below }: Random) {
  const contents = Array.from({ length: below(4) }, () => Buffer.alloc(below(300), below(9)))
  const hashes = await Promise.all(contents.map((bytes) => blake3(bytes)))
  return {
    sent: contents.map((bytes) => file(bytes)),
    kept: contents.map(({ length }, i) => ({ id: '', size: length, hash: at(hashes, i) })),
  }
}

function someLinks({ below, one }: Random) {
  const links = new Map<string, string>()
  for (let n = below(3); n > 0; n--) {
    const asset = one(idsOf('asset_revision'))
    if (asset) links.set(asset, one(['direct', 'indirect']) ?? '')
  }
  return links
}
const toSend = (links: Map<string, string>) =>
  [...links].map(([asset_revision, use_type]) => ({ asset_revision, use_type }))

const withIds = (expected: Stored[], { data }: { data?: DataObject[] | null }): Stored[] =>
  expected.map((one, i) => ({ ...one, id: one.id || (data?.[i]?.api_id ?? '') }))

function addToModel(answer: { api_id: string }, one: Omit<Known, 'index'>) {
  const index = made.get(one.parent) ?? 0
  made.set(one.parent, index + 1)
  known.set(answer.api_id, { ...one, index })
}

type Step = (random: Random) => Promise<string>
const operations: Step[] = [
  async function create(random) {
    const segment = random.one(['revision', 'asset_revision'] as const) ?? 'revision'
    const parent = random.one(segment === 'revision' ? figures : assets) ?? ''
    const { sent, kept } = await randomData(random)
    const links = segment === 'revision' ? someLinks(random) : new Map<string, string>()
    const member = segment === 'revision' ? 'figure' : 'asset'
    const body = { [member]: parent, data: sent, assets: toSend(links) }
    const { body: answer } = await alice.api.post<Revision>(`${segment}/`, body)
    addToModel(answer, { segment, parent, data: withIds(kept, answer), links })
    return answer.api_id
  },
  async function append(random) {
    const id = random.one(idsOf('revision'))
    if (!id) return ''
    const { sent, kept } = await randomData(random)
    const path = `revision/${id}/append_data/`
    const { body } = await alice.api.post<Revision>(path, { data: sent }, 200)
    const one = get(id)
    one.data = withIds([...one.data, ...kept], body)
    return id
  },
  async function derive(random) {
    const source = random.one(idsOf('revision'))
    if (!source) return ''
    const { parent, data, links } = get(source)
    const figure = random.one([undefined, ...figures])
    const body = figure ? { figure } : {}
    const path = `revision/${source}/derive/`
    const { body: answer } = await alice.api.post<Revision>(path, body, 201)
    const fresh = data.map((one) => ({ ...one, id: '' }))
    addToModel(answer, {
      segment: 'revision',
      parent: figure ?? parent,
      data: withIds(fresh, answer),
      links: new Map(links),
    })
    return answer.api_id
  },
  async function replace(random) {
    const id = random.one([...known.keys()])
    if (!id) return ''
    const one = get(id)
    const { sent, kept } = await randomData(random)
    const stay = one.data.filter(() => random.below(3) === 0)
    const data = [...sent, ...stay.map((object) => ({ api_id: object.id }))]
    const { body } = await alice.api.patch<Revision>(`${one.segment}/${id}/`, { data })
    if (data.length === 0) return id
    for (const old of one.data) if (!stay.includes(old)) detached.set(old.id, id)
    one.data = withIds([...kept, ...stay], body)
    return id
  },
  async function link(random) {
    const id = random.one(idsOf('revision'))
    if (!id) return ''
    const links = someLinks(random)
    await alice.api.patch(`revision/${id}/`, { assets: toSend(links) })
    get(id).links = links
    return id
  },
  async function unlink(random) {
    const id = random.one(idsOf('revision').filter((one) => get(one).links.size > 0))
    const asset = id && random.one([...get(id).links.keys()])
    if (!asset) return ''
    const body = { figure_revision: id }
    await alice.api.post(`asset_revision/${asset}/unlink_figure/`, body, 200)
    get(id).links.delete(asset)
    return id
  },
  async function remove(random) {
    const id = random.one([...known.keys()])
    if (!id || random.below(3) > 0) return ''
    const { segment } = get(id)
    await alice.api.delete(`${segment}/${id}/`)
    known.delete(id)
    for (const other of known.values()) other.links.delete(id)
    return id
  },
]

function get(id: string): Known {
  const one = known.get(id)
  assert.ok(one)
  return one
}

async function checkRevision(id: string, one: Known) {
  const { body } = await alice.api.get<Revision & AssetRevision>(`${one.segment}/${id}/`)
  assert.equal(body.revision_index, one.index)
  assert.deepEqual(
    body.data?.map(({ api_id, hash, size_bytes }) => ({ id: api_id, hash, size: size_bytes })),
    one.data,
  )
  assert.equal(body.size_bytes, sizeOf(one))
  if (one.segment === 'revision') {
    const links = body.assets?.map((link) => [link.asset_revision, link.use_type])
    assert.deepEqual(links?.sort(), [...one.links].sort())
    return
  }
  const linked = [...known].filter(([, other]) => other.links.has(id))
  assert.deepEqual(
    body.figure_revisions?.map((link) => [link.figure_revision, link.use_type]).sort(),
    linked.map(([figure, { links }]) => [figure, links.get(id)]).sort(),
  )
}

const sizeOf = ({ data }: Known) => data.reduce((sum, { size }) => sum + size, 0)

async function checkSizes() {
  const of = (parents: string[]) =>
    [...known.values()]
      .filter(({ parent }) => parents.includes(parent))
      .reduce((sum, one) => sum + sizeOf(one), 0)
  const paths = new Map([
    ...figures.map((id) => [`figure/${id}/`, of([id])] as const),
    ...assets.map((id) => [`asset/${id}/`, of([id])] as const),
    [`analysis/${place.analysis.api_id}/`, of(figures)],
    [`workspace/${place.workspace.api_id}/`, of([...figures, ...assets])],
  ])
  for (const [path, size] of paths) {
    const { body } = await alice.api.get<{ size_bytes: number }>(`${path}size/`)
    assert.equal(body.size_bytes, size, path)
  }
  const path = `workspace/${place.workspace.api_id}/children/`
  const { body: children } = await alice.api.get<{ api_id: string; entity_type: string }[]>(path)
  const listed = children.filter(({ entity_type }) => entity_type === 'external_data')
  assert.deepEqual(
    listed.map(({ api_id }) => api_id).sort(),
    [...known.values()].flatMap(({ data }) => data.map(({ id }) => id)).sort(),
  )
}

test('revisions, links and sizes match a simple model after random operations', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  t.diagnostic(`SEED=${seed}`)
  const random = createRandom(seed)
  for (let step = 0; step < steps; step++) {
    const operation = random.one(operations)
    const touched = (await operation?.(random)) ?? ''
    const one = known.get(touched)
    try {
      if (one) await checkRevision(touched, one)
      if (step % 10 === 0) await checkSizes()
    } catch (error) {
      throw new Error(`SEED=${seed}, step ${step}, ${operation?.name}`, { cause: error })
    }
  }
  for (const [id, one] of known) await checkRevision(id, one)
  await checkSizes()
  for (const [id, revision] of detached) {
    await alice.api.get(`data/${id}/`, known.has(revision) ? 200 : 404)
  }
})

test('eight clients that publish and derive in one figure get consecutive indexes', async () => {
  const figure = (await newFigure(alice.api, place.analysis.api_id)).api_id
  const source = at(
    await Promise.all([
      alice.api.post<Revision>('revision/', { figure, data: [file(Buffer.from('source'))] }),
    ]),
    0,
  ).body.api_id
  const rounds = 4
  const work = async (writer: number) => {
    for (let round = 0; round < rounds; round++) {
      const bytes = Buffer.from(`${writer} ${round}`)
      if ((writer + round) % 2 === 0) {
        const body = { figure, data: [file(bytes)] }
        const { body: own } = await alice.api.post<Revision>('revision/', body)
        const more = { data: [file(bytes)] }
        await alice.api.post(`revision/${own.api_id}/append_data/`, more, 200)
      } else {
        await alice.api.post(`revision/${source}/derive/`, {}, 201)
        const more = { data: [file(bytes)] }
        await alice.api.post(`revision/${source}/append_data/`, more, 200)
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)))
  const { body } = await alice.api.get<Figure>(`figure/${figure}/`)
  const { revisions = [] } = body
  assert.deepEqual(
    revisions?.map(({ revision_index }) => revision_index),
    Array.from({ length: writers * rounds + 1 }, (_, index) => index),
  )
  let sum = 0
  for (const { api_id, size_bytes } of revisions ?? []) {
    const { body: one } = await alice.api.get<Revision>(`revision/${api_id}/`)
    const own = (one.data ?? []).reduce((size, data) => size + data.size_bytes, 0)
    assert.deepEqual([one.size_bytes, size_bytes], [own, own])
    sum += own
  }
  assert.equal(body.size_bytes, sum)
})

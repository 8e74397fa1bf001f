import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { either } from '../src/client.js'
import { figbaseOf } from '../src/figbase.js'
import { png } from '../src/images.js'
import { image, newAnalysis, newAsset, newFigure, newWorkspace, publish } from '../src/publish.js'
import { idsOf, newWord, search } from '../src/search.js'
import { signUp, type TestUser } from '../src/users.js'

const seed = Number(process.env.FIGBASE_SEED ?? Math.floor(Math.random() * 2 ** 31))
const stepsMax = Number(process.env.FIGBASE_STEPS ?? 20)

interface Item {
  segment: 'workspace' | 'analysis' | 'figure' | 'revision' | 'asset'
  id: string
  parent: Item | undefined
  isLinked: boolean
  isDeleted: boolean
}

const word = newWord()
const items: Item[] = []
let owner: TestUser
let people: TestUser[]
let readers: Pick<TestUser, 'api' | 'figbase'>[]

const of = (...segments: Item['segment'][]) =>
  items.filter(({ segment }) => segments.includes(segment))

function add(segment: Item['segment'], id: string, parent?: Item): Item {
  const item = { segment, id, parent, isLinked: false, isDeleted: false }
  items.push(item)
  return item
}

before(async () => {
  owner = await signUp()
  people = await Promise.all([signUp(), signUp()])
  for (let w = 0; w < 2; w++) {
    const workspace = add('workspace', (await newWorkspace(owner.api, word)).api_id)
    const asset = await newAsset(owner.api, workspace.id, { name: word })
    add('asset', asset.api_id, workspace)
    for (let a = 0; a < 2; a++) {
      const { api_id } = await newAnalysis(owner.api, workspace.id, word)
      const analysis = add('analysis', api_id, workspace)
      for (let f = 0; f < 2; f++) {
        const figure = add('figure', (await newFigure(owner.api, api_id, word)).api_id, analysis)
        const metadata = { tag: word }
        const revision = await publish(owner.api, figure.id, [image(png(9, 9))], { metadata })
        add('revision', revision.api_id, figure)
      }
    }
  }
  const [first] = of('workspace')
  const key = await newApiKey(owner.api, { workspace: first?.id })
  readers = [owner, ...people, { api: callerWith(key), figbase: figbaseOf({ apiKey: key.token }) }]
})

const isUnderLink = (item: Item): boolean =>
  item.isLinked || (item.parent !== undefined && isUnderLink(item.parent))

/** What each reader finds is what they can read, without what is shared by links. */
async function check(step: string) {
  for (const [index, reader] of readers.entries()) {
    const found = new Set(await idsOf(reader.figbase, word))
    for (const item of items) {
      const anyStatus = either('the model does not know', 200, 403, 404)
      const { status } = await reader.api.get(`${item.segment}/${item.id}/`, anyStatus)
      const context = `reader ${index}, ${item.segment} ${item.id}, ${step} (FIGBASE_SEED=${seed})`
      if (status !== 200) assert.ok(!found.has(item.id), `found, but refused: ${context}`)
      else if (!isUnderLink(item)) assert.ok(found.has(item.id), `not found: ${context}`)
    }
  }
}

let state = seed
/** A number from 0 to below `max`. */
function random(max: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * max)
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
const shareable = () => of('analysis', 'figure', 'revision', 'asset')
const anyResult = either(
  'the model does not know whether it is possible',
  200,
  201,
  204,
  400,
  403,
  404,
  409,
  412,
)

const steps: Record<string, () => Promise<unknown>> = {
  share: () => {
    const { segment, id } = pick(shareable())
    const body = { username: pick(people).username, sharing_enabled: random(3) > 0 }
    return owner.api.post(`${segment}/${id}/share/user/`, body, anyResult)
  },
  link: async () => {
    const item = pick(shareable())
    const enabled = random(2) === 0
    const path = `${item.segment}/${item.id}/share/link/`
    const { status } = await owner.api.post(path, { enabled }, anyResult)
    if (status === 200) item.isLinked = enabled
  },
  member: () => {
    const { id } = pick(of('workspace'))
    const { username } = pick(people)
    const action = random(2) === 0 ? 'add' : 'remove'
    const body = { username, membership_type: 'viewer' }
    return owner.api.post(`workspace/${id}/members/${action}/`, body, anyResult)
  },
  move: async () => {
    const item = pick(of('figure', 'analysis'))
    const target = pick(of(item.segment === 'figure' ? 'analysis' : 'workspace'))
    const body = { [target.segment]: target.id }
    const { status } = await owner.api.patch(`${item.segment}/${item.id}/`, body, anyResult)
    if (status === 200) item.parent = target
  },
  delete: async () => {
    const item = pick(shareable())
    const { status } = await owner.api.delete(`${item.segment}/${item.id}/`, anyResult)
    if (status === 204) item.isDeleted = true
  },
  restore: async () => {
    const item = pick(items.filter(({ isDeleted }) => isDeleted))
    if (!item) return
    const { status } = await owner.api.post(`${item.segment}/${item.id}/restore/`, {}, anyResult)
    if (status === 200) item.isDeleted = false
  },
}

test('search agrees with GET after each of many random changes', async (t) => {
  t.diagnostic(`FIGBASE_SEED=${seed}`)
  const deadline = Date.now() + 60_000
  for (let found = 0; found < items.length; ) {
    found = (await search(owner.figbase, { search_type: 'keyword', query: word, k: 100 })).length
    assert.ok(Date.now() < deadline, 'the objects were not indexed')
    await delay(50)
  }
  await check('before the first change')
  for (let step = 1; step <= stepsMax; step++) {
    const name = pick(Object.keys(steps))
    await steps[name]?.()
    await check(`${step}: ${name}`)
  }
})

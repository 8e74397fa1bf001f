import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Author, type Created, program } from './support/author.js'
import { runCommand } from './support/command.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process while it handles requests with an `Idempotency-Key`, at each step and at random times, and repeats
 * them. Each gets its answer, and nothing exists twice.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())
const crashAt = createCrashAt(bench)

type Figure = Created & { name: string; revisions: Created[] }

const keyed = (key: string) => ({ 'idempotency-key': key })

/** Of a keyed request: its record before the handler, and its answer. */
const pointsOfAnswer = around('identity.write', 2)

type Creation = { name: string; points: string[]; in: Place; make(place: Places): Request }
type Place = 'analysis' | 'figure' | 'workspace' | 'comments'
type Places = { analysis: string; figure: string; workspace: string; source: string }
type Request = { path: string; body: unknown }

const file = { name: 'table', type: 'file', data: Buffer.alloc(50_000, 7).toString('base64') }

const creations: Creation[] = [
  {
    name: 'a figure',
    points: transaction('catalog'),
    in: 'analysis',
    make: ({ analysis }) => ({ path: 'figure/', body: { name: 'F', analysis } }),
  },
  {
    name: 'a revision',
    points: [
      ...around('revisions.put'),
      ...around('revisions.Reserve'),
      ...transaction('revisions'),
      ...around('revisions.Activate'),
    ],
    in: 'figure',
    make: ({ figure }) => ({ path: 'revision/', body: { figure, metadata: {}, data: [file] } }),
  },
  {
    name: 'a derived revision',
    points: [
      ...around('revisions.Reserve'),
      ...transaction('revisions'),
      ...around('revisions.Activate'),
    ],
    in: 'figure',
    make: ({ figure, source }) => ({ path: `revision/${source}/derive/`, body: { figure } }),
  },
  {
    name: 'a comment',
    points: transaction('comments'),
    in: 'comments',
    make: ({ figure }) => ({
      path: 'comment/',
      body: { target_type: 'figure', target_id: figure, content: 'Once' },
    }),
  },
  {
    name: 'a story',
    points: [
      ...around('stories-ai.Reserve'),
      ...transaction('stories-ai'),
      ...around('stories-ai.Activate'),
    ],
    in: 'workspace',
    make: ({ workspace }) => ({
      path: 'story/',
      body: { name: 'S', workspace, slides: [{ slide_type: 'custom', content: 'one' }] },
    }),
  },
]

async function newPlaces(author: Author): Promise<Places> {
  const post = async (path: string, body: unknown) =>
    (await author.json<Created>('POST', path, body)).api_id
  const workspace = await post('workspace/', { name: 'W' })
  const analysis = await post('analysis/', { name: 'A', workspace })
  const figure = await post('figure/', { name: 'Empty', analysis })
  const published = await post('figure/', { name: 'Published', analysis })
  const source = await author.publish(published)
  await author.isIntact(source)
  return { workspace, analysis, figure, source: source.api_id }
}

/** The ids of what is there. */
async function idsIn(author: Author, place: Place, places: Places): Promise<string[]> {
  const { workspace, analysis, figure } = places
  const ids = (list: Created[]) => list.map(({ api_id }) => api_id)
  if (place === 'comments') {
    const path = `comment/?target_type=figure&target_id=${figure}`
    return (await author.json<{ id: string }[]>('GET', path)).map(({ id }) => id)
  }
  if (place === 'workspace') {
    const path = `workspace/${workspace}/`
    return ids((await author.json<{ stories: Created[] }>('GET', path)).stories)
  }
  if (place === 'figure') {
    return ids((await author.json<Figure>('GET', `figure/${figure}/`)).revisions)
  }
  return ids((await author.json<{ figures: Created[] }>('GET', `analysis/${analysis}/`)).figures)
}

for (const { name, points, in: place, make } of creations) {
  for (const point of [...pointsOfAnswer, ...points]) {
    test(`${name} is created once, although the process is killed at ${point}`, async () => {
      const key = randomUUID()
      let before: string[] = []
      const post = (author: Author, places: Places) => {
        const { path, body } = make(places)
        return author.request('POST', path, body, keyed(key))
      }
      await crashAt(
        point,
        async (author) => {
          const places = await newPlaces(author)
          before = await idsIn(author, place, places)
          return places
        },
        async (author, places) => assert.equal((await post(author, places)).status, 201),
        async (author, places) => {
          const first = await post(author, places)
          const text = await first.text()
          assert.equal(first.status, 201, text)
          assert.equal(await (await post(author, places)).text(), text)
          const made = JSON.parse(text) as { api_id?: string; id: string }
          const found = (await idsIn(author, place, places)).filter((id) => !before.includes(id))
          assert.deepEqual(found, [made.api_id ?? made.id])
        },
      )
    })
  }
}

const CLIENTS = 25
const INTERRUPTED = Number(process.env.INTERRUPTED ?? 1000)
const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d' }

type Sent = Request & { key: string; place: Place; id?: string }

test(`of ${INTERRUPTED} requests that a kill interrupted, none is doubled`, async (t) => {
  const dataDir = await bench.dir()
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const places = await newPlaces(author)
  const sent: Sent[] = []
  let interrupted = 0
  let effects = 0
  let kills = 0

  const send = async (one: Sent) => {
    const response = await author.request('POST', one.path, one.body, keyed(one.key))
    const text = await response.text()
    assert.equal(response.status, 201, text)
    const made = JSON.parse(text) as { api_id?: string; id: string }
    one.id = made.api_id ?? made.id
  }
  /** Creates until the process is killed. */
  const work = async (): Promise<Sent> => {
    for (;;) {
      const creation = creations[Math.floor(Math.random() * creations.length)] ?? creations[0]
      assert.ok(creation)
      const one: Sent = { ...creation.make(places), key: randomUUID(), place: creation.in }
      sent.push(one)
      try {
        await send(one)
      } catch (error) {
        if (error instanceof TypeError) return one
        throw error
      }
    }
  }
  const count = async () => {
    const all = (['analysis', 'figure', 'workspace', 'comments'] as const).map((place) =>
      idsIn(author, place, places),
    )
    return (await Promise.all(all)).flat().length
  }
  const before = await count()
  while (interrupted < INTERRUPTED) {
    const working = Array.from({ length: CLIENTS }, work)
    await sleep(50 + Math.random() * 500)
    author.launched.child.kill('SIGKILL')
    const unanswered = await Promise.all(working)
    await until(() => author.launched.hasEnded(), 'the kill')
    kills++
    author.launched = await bench.start({ dataDir, env })
    interrupted += unanswered.length
    const known = await count()
    await Promise.all(unanswered.map(send))
    effects += unanswered.length - ((await count()) - known)
  }

  const created = (place: Place) => sent.filter((one) => one.place === place).map(({ id }) => id)
  let found = 0
  for (const place of ['analysis', 'figure', 'workspace', 'comments'] as const) {
    const ids = await idsIn(author, place, places)
    const expected = created(place)
    assert.ok(expected.every((id) => id !== undefined && ids.includes(id)))
    found += ids.length
  }
  t.diagnostic(
    `${sent.length} requests, ${interrupted} interrupted by ${kills} kills, ${effects} of them after their effect`,
  )
  assert.ok(effects > 0, 'some effects must have preceded the kill')
  assert.equal(found - before, sent.length, 'nothing is doubled')
  assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length)
  assert.equal(await author.launched.stop(), 0)
  const { code, output } = await runCommand(dataDir, ['fsck', '--verify'])
  assert.equal(code, 0, output)
})

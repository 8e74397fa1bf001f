import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { pageRoutes } from '@figbase/gateway'
import { insiders, type Reader, readers } from '../src/canary-people.js'
import { type Ask, pageRows, rows } from '../src/canary-routes.js'
import { type CanaryWorld, createCanaryWorld } from '../src/canary-world.js'
import { newComment } from '../src/comments.js'
import { deployment } from '../src/deployment.js'
import { openEvents } from '../src/event-stream.js'
import { newRevision, newWorkspace } from '../src/publish.js'
import { routesOf } from '../src/routes.js'

let world: CanaryWorld
before(async () => {
  world = await createCanaryWorld()
})

const concurrency = 8
let answers = 0
/** Failures of the product, and answers to those who should have been refused. */
const wrong: string[] = []

/** Other methods change something. */
const isReading = (route: string) => /^(GET|HEAD|POST) /.test(route)

test('every page and every route that may read has a row, and each row has one of them', async () => {
  const api = (await routesOf()).filter(isReading)
  assert.deepEqual(Object.keys(rows).sort(), api)
  const pages = pageRoutes.filter((route) => route.startsWith('GET '))
  assert.deepEqual(Object.keys(pageRows).sort(), pages.sort())
})

async function read(
  reader: Reader,
  { method = 'GET', path, json, headers, thing, isDirectory }: Ask,
) {
  const { authorization } = world.as[reader]
  const answer = await fetch(new URL(path, deployment.origin), {
    method,
    redirect: 'manual',
    headers: {
      ...headers,
      ...(authorization && { authorization }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const body = Buffer.from(await answer.arrayBuffer()).toString()
  const head = [...answer.headers].flat().join('\n')
  const { status } = answer
  answers++
  const where = `${method} ${path} (${status}${json === undefined ? '' : `, ${JSON.stringify(json)}`})`
  world.canaries.look(reader, where, `${head}\n${body}`, isDirectory)
  const isOpen = !thing || thing.readers.includes(reader)
  if (status >= 500 || (!isOpen && ![401, 403, 404].includes(status))) {
    wrong.push(`${reader}: ${where} of ${thing?.place ?? 'nothing in particular'}`)
  }
}

test('no reader finds a text of a place that they may not view, and each finds all of those that they may', async (t) => {
  const { canaries } = world
  const asks = [...Object.values(rows), ...Object.values(pageRows)].flatMap(
    (row) => row?.(world) ?? [],
  )
  for (const reader of readers) {
    const left = [...asks]
    const work = async () => {
      for (let ask = left.pop(); ask; ask = left.pop()) await read(reader, ask)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  assert.deepEqual(canaries.leaks, [])
  assert.deepEqual(wrong, [])
  for (const reader of readers) assert.deepEqual([reader, canaries.missed(reader)], [reader, []])
  const found = readers.map((reader) => `${reader} ${canaries.countFound(reader)}`).join(', ')
  t.diagnostic(
    `${Object.keys(rows).length} routes and ${Object.keys(pageRows).length} pages, ${readers.length} readers, ` +
      `${world.things.length} objects and ${world.talks.length} comments: ${answers} answers, ` +
      `${canaries.count} canaries; found: ${found}`,
  )
})

test('nor do live events tell of them', async () => {
  const { as } = world
  const streams: Streams = new Map()
  try {
    for (const reader of readers.filter((one) => as[one].authorization)) {
      const stream = await openEvents({ authorization: as[reader].authorization })
      streams.set(reader, stream)
      await stream.until(({ event }) => event === 'begun')
    }
    await changeAll(streams)
  } finally {
    await Promise.all([...streams.values()].map((stream) => stream[Symbol.asyncDispose]()))
  }
})

type Streams = Map<Reader, Awaited<ReturnType<typeof openEvents>>>

async function changeAll(streams: Streams) {
  const { as, people, things, talks, canaries } = world
  const { owner, commenter } = people
  const told: string[] = []
  for (const { segment, id, place } of things) {
    if (segment !== 'analysis' && segment !== 'figure') continue
    const name = canaries.plant(`new name of ${place}`, insiders)
    await owner.api.patch(`${segment}/${id}/`, { name })
    if (segment === 'figure') told.push((await newRevision(owner.api, id)).api_id)
  }
  for (const { type, target } of talks) {
    const { id } = await newComment(commenter.api, type, target.id)
    canaries.add(id, `id of a new comment on ${target.place}`, insiders)
    told.push(id)
  }
  const ofOwner = streams.get('owner')
  for (const id of told) {
    await ofOwner?.until(({ data }) => data.target_id === id || data.id === id)
  }
  // What comes of their own afterwards comes after all that.
  for (const [reader, stream] of streams) {
    if (reader === 'key of a former member') continue
    const { api_id } = await newWorkspace(as[reader])
    await stream.until(({ data }) => data.target_id === api_id)
  }
  for (const [reader, { seen }] of streams) canaries.look(reader, 'events/', JSON.stringify(seen))
  assert.deepEqual(canaries.leaks, [])
  for (const reader of insiders) assert.deepEqual(canaries.missed(reader), [])
}

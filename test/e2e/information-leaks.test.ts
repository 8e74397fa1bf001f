import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { pageRoutes } from '@figbase/gateway'
import { scriptModel, withoutAi } from '../src/ai.js'
import { newComment } from '../src/comments.js'
import { deployment } from '../src/deployment.js'
import { type Followed, follow, isAbout } from '../src/event-stream.js'
import { figbaseLike } from '../src/figbase.js'
import { createLeakFixture, type LeakFixture } from '../src/leak-fixture.js'
import { echoPrompt, pageRows, type ReadRequest, rows } from '../src/leak-requests.js'
import { insiders, type Reader, readers } from '../src/leak-users.js'
import { isPdf, textOfPdf } from '../src/pdf.js'
import { newRevision, newWorkspace } from '../src/publish.js'
import { routesOf } from '../src/routes.js'

let fixture: LeakFixture
before(async () => {
  fixture = await createLeakFixture()
  if (!withoutAi) await scriptModel(echoPrompt, { echo: true })
})

const concurrency = 8
let answers = 0
/** Server errors, and successful responses to readers without access. */
const unexpected: string[] = []

/** Other methods only write. */
const isReading = (route: string) => /^(GET|HEAD|POST) /.test(route)

test('the tables contain exactly the pages and the routes that read', async () => {
  const api = (await routesOf()).filter(isReading)
  assert.deepEqual(Object.keys(rows).sort(), api)
  const pages = pageRoutes.filter((route) => route.startsWith('GET '))
  assert.deepEqual(Object.keys(pageRows).sort(), pages.sort())
})

async function read(
  reader: Reader,
  { method = 'GET', path, json, headers, object, isDirectory }: ReadRequest,
) {
  const { authorization } = fixture.as[reader]
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
  const bytes = Buffer.from(await answer.arrayBuffer())
  const body = isPdf(bytes) ? await textOfPdf(bytes) : bytes.toString()
  // The address leads back to what was asked for, and has nothing else.
  const leadsToSignIn =
    answer.headers.get('location') === `/sign-in/?next=${encodeURIComponent(path)}`
  const shown = [...answer.headers].filter(([name]) => !leadsToSignIn || name !== 'location')
  const head = shown.flat().join('\n')
  const { status } = answer
  answers++
  const where = `${method} ${path} (${status}${json === undefined ? '' : `, ${JSON.stringify(json)}`})`
  fixture.detector.scan(reader, where, `${head}\n${body}`, isDirectory)
  const isOpen = !object || object.readers.includes(reader)
  const isRefused = leadsToSignIn || [401, 403, 404].includes(status)
  if (status >= 500 || (!isOpen && !isRefused)) {
    unexpected.push(`${reader}: ${where} of ${object?.place ?? 'no object'}`)
  }
}

test('each reader finds all texts that they may view, and no others', async (t) => {
  const { detector } = fixture
  const requests = [...Object.values(rows), ...Object.values(pageRows)].map(
    (row) => row?.(fixture) ?? [],
  )
  for (const reader of readers) {
    const own = requests.map((ofRoute) => ofRoute.filter(({ by }) => by?.includes(reader) ?? true))
    const isRead = own.map((ofRoute) => ofRoute.length > 0)
    assert.deepEqual(
      isRead,
      requests.map((ofRoute) => ofRoute.length > 0),
      `${reader} reads each route`,
    )
    const left = own.flat()
    const work = async () => {
      for (let next = left.pop(); next; next = left.pop()) await read(reader, next)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  assert.deepEqual(detector.leaks, [])
  assert.deepEqual(unexpected, [])
  for (const reader of readers) assert.deepEqual([reader, detector.missed(reader)], [reader, []])
  const found = readers.map((reader) => `${reader} ${detector.countFound(reader)}`).join(', ')
  t.diagnostic(
    `${Object.keys(rows).length} routes and ${Object.keys(pageRows).length} pages, ${readers.length} readers, ` +
      `${fixture.objects.length} objects and ${fixture.comments.length} comments: ${answers} responses, ` +
      `${detector.count} markers; found: ${found}`,
  )
})

test('live events contain no texts that their reader may not view', async () => {
  const { as } = fixture
  const streams: Streams = new Map()
  try {
    for (const reader of readers.filter((one) => as[one].authorization)) {
      streams.set(reader, await follow(figbaseLike(as[reader])))
    }
    await changeAll(streams)
  } finally {
    await Promise.all([...streams.values()].map((stream) => stream[Symbol.asyncDispose]()))
  }
})

type Streams = Map<Reader, Followed>

async function changeAll(streams: Streams) {
  const { as, people, objects, comments, detector } = fixture
  const { owner, commenter } = people
  const targets: string[] = []
  for (const { segment, id, place } of objects) {
    if (segment !== 'analysis' && segment !== 'figure') continue
    const name = detector.createMarker(`new name of ${place}`, insiders)
    await owner.api.patch(`${segment}/${id}/`, { name })
    if (segment === 'figure') targets.push((await newRevision(owner.api, id)).api_id)
  }
  for (const { type, target } of comments) {
    const { id } = await newComment(commenter.api, type, target.id)
    detector.add(id, `id of a new comment on ${target.place}`, insiders)
    targets.push(id)
  }
  const ofOwner = streams.get('owner')
  for (const id of targets) {
    await ofOwner?.until(
      (one) => isAbout(id)(one) || (one.event === 'comment' && one.data.id === id),
    )
  }
  // Events are in order: an event of a workspace created now comes after all the others.
  for (const [reader, stream] of streams) {
    if (reader === 'key of a former member') continue
    const { api_id } = await newWorkspace(as[reader])
    await stream.until(isAbout(api_id))
  }
  for (const [reader, { seen }] of streams) detector.scan(reader, 'events/', JSON.stringify(seen))
  assert.deepEqual(detector.leaks, [])
  for (const reader of insiders) assert.deepEqual(detector.missed(reader), [])
}

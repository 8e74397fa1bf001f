import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, Refusal } from '../src/client.js'
import { type Comment, newComment } from '../src/comments.js'
import { deployment } from '../src/deployment.js'
import { type EventStream, openEvents, type StreamEvent } from '../src/event-stream.js'
import { type Person, signUp } from '../src/people.js'
import { png } from '../src/pictures.js'
import {
  image,
  newAnalysis,
  newFigure,
  newPlace,
  newRevision,
  newWorkspace,
} from '../src/publish.js'
import type { LogPage } from '../src/resources.js'

let alice: Person
beforeEach(async () => {
  alice = await signUp()
})

const follow = (api: Client, after?: string) =>
  openEvents({ authorization: api.authorization, ...(after !== undefined && { after }) })

const isAbout =
  (id: string, action = 'create') =>
  ({ event, data }: StreamEvent) =>
    event === 'activity' && data.target_id === id && data.action === action

/** A place whose making was told already: a stream that begins now tells what comes after. */
async function toldPlace({ api }: Person) {
  await using stream = await follow(api)
  const place = await newPlace(api)
  await stream.until(isAbout(place.figure.api_id))
  return place
}

/** What they are about, in their order, of these. */
const activities = (events: StreamEvent[], ids: string[]) =>
  events.flatMap(({ event, data: { target_id: id } }) =>
    event === 'activity' && ids.includes(`${id}`) ? [`${id}`] : [],
  )

test('what happens in a workspace is told as it happens, with who, what and where', async () => {
  await using stream = await follow(alice.api)
  const { headers, status } = stream.response
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(headers.get('content-encoding'), null)
  assert.match(headers.get('cache-control') ?? '', /no-transform/)
  const first = await stream.until(() => true)
  assert.deepEqual([first.event, first.data], ['begun', { has_gap: false }])

  const { workspace, analysis, figure } = await newPlace(alice.api)
  const { data } = await stream.until(isAbout(figure.api_id))
  assert.match(String(data.api_id), /^[0-9a-f-]{36}$/)
  assert.deepEqual(data, {
    api_id: data.api_id,
    username: alice.username,
    timestamp: figure.created_on,
    action: 'create',
    target_id: figure.api_id,
    target_type: 'figure',
    target_name: figure.name,
    workspace: workspace.api_id,
    analysis: analysis.api_id,
    figure: figure.api_id,
  })
  await alice.api.patch(`figure/${figure.api_id}/`, { name: 'Renamed' })
  const renamed = await stream.until(isAbout(figure.api_id, 'update'))
  assert.equal(renamed.data.target_name, 'Renamed')
  await alice.api.delete(`analysis/${analysis.api_id}/`)
  await stream.until(isAbout(analysis.api_id, 'delete'))
  // Of each object in order; there is the primary workspace, too.
  const ids = [workspace, analysis, figure].map(({ api_id }) => api_id)
  for (const [id, actions] of [
    [ids[0], ['create']],
    [ids[1], ['create', 'delete']],
    [ids[2], ['create', 'update']],
  ] as const) {
    const told = stream.seen.filter(({ data }) => data.target_id === id)
    assert.deepEqual(
      told.map(({ data }) => data.action),
      actions,
    )
  }
})

test('the end of the processing of a revision is told, and it has ended then', async () => {
  const { figure } = await newPlace(alice.api)
  await using stream = await follow(alice.api)
  const revision = await newRevision(alice.api, figure.api_id, [image(png(300, 200))])
  const { data } = await stream.until(({ event }) => event === 'revision')
  assert.deepEqual(data, {
    api_id: revision.api_id,
    figure: figure.api_id,
    is_processing: false,
  })
  const path = `revision/${revision.api_id}/status/`
  assert.deepEqual((await alice.api.get(path)).body, { is_processing: false })
})

test('comments are told to who may view what they are about, with what was done', async () => {
  const [viewer, stranger] = await Promise.all([signUp(), signUp()])
  const { workspace, figure } = await toldPlace(alice)
  const member = { username: viewer.username, membership_type: 'viewer' }
  await alice.api.post(`workspace/${workspace.api_id}/members/add/`, member, 200)
  await toldPlace(stranger)
  await using hers = await follow(alice.api)
  await using theirs = await follow(stranger.api)
  const start = await hers.until(() => true)
  await theirs.until(() => true)

  const first = await newComment(alice.api, 'figure', figure.api_id)
  const answer = await newComment(viewer.api, 'figure', figure.api_id, 'Yes', first.id)
  const { body: edited } = await viewer.api.put<Comment>(`comment/${answer.id}/`, { content: 'No' })
  await viewer.api.delete(`comment/${answer.id}/`)
  const isDeletion = ({ event, data }: StreamEvent) =>
    event === 'comment' && data.action === 'delete'
  await hers.until(isDeletion)
  const told = (stream: EventStream) =>
    stream.seen.flatMap(({ event, data }) => (event === 'comment' ? [data] : []))
  const all = told(hers)
  const on = { target_type: 'figure', target_id: figure.api_id, workspace: workspace.api_id }
  const of = { id: answer.id, username: viewer.username, parent_comment_id: first.id, ...on }
  assert.deepEqual(all, [
    {
      id: first.id,
      username: alice.username,
      timestamp: first.created_on,
      action: 'create',
      parent_comment_id: null,
      ...on,
    },
    { ...of, timestamp: answer.created_on, action: 'create' },
    { ...of, timestamp: edited.updated_on, action: 'update' },
    { ...of, timestamp: all.at(-1)?.timestamp, action: 'delete' },
  ])
  assert.ok(String(all.at(-1)?.timestamp) > edited.updated_on)

  // The same to who may view it and comes later, and not once more as an activity.
  await using resumed = await follow(viewer.api, start.id)
  await resumed.until(isDeletion)
  assert.deepEqual(told(resumed), all)
  const mark = await newWorkspace(stranger.api)
  await theirs.until(isAbout(mark.api_id))
  assert.deepEqual(told(theirs), [])
  for (const { seen } of [hers, resumed]) {
    assert.deepEqual(activities(seen, [figure.api_id]), [])
  }
})

test('a stream that is resumed tells what came meanwhile, once and in order', async () => {
  const { workspace } = await toldPlace(alice)
  const ids: string[] = []
  const make = async (count: number) => {
    for (let n = 0; n < count; n++) {
      ids.push((await newAnalysis(alice.api, workspace.api_id, `${n}`)).api_id)
    }
  }
  let last: string
  {
    await using stream = await follow(alice.api)
    await make(2)
    for (const id of ids) await stream.until(isAbout(id))
    last = stream.seen.at(-1)?.id ?? ''
  }
  await make(5)
  await using resumed = await follow(alice.api, last)
  await make(3)
  const later = ids.slice(2)
  for (const id of later) await resumed.until(isAbout(id))
  assert.deepEqual(activities(resumed.seen, ids).sort(), later.sort())
  const [begun] = resumed.seen
  assert.deepEqual([begun?.event, begun?.data], ['begun', { has_gap: false }])

  // From where it began, all again: nothing was lost by the way in which it was told.
  await using again = await follow(alice.api, begun?.id ?? '')
  for (const id of later) await again.until(isAbout(id))
  assert.deepEqual(activities(again.seen, ids), activities(resumed.seen, ids))
})

test('of what many write at the same moment, each is told once to each stream', async () => {
  const { analysis, workspace } = await toldPlace(alice)
  await using one = await follow(alice.api)
  await using two = await follow(alice.api)
  const figures = await Promise.all(
    Array.from({ length: 40 }, (_, n) => newFigure(alice.api, analysis.api_id, `${n}`)),
  )
  const last = await newAnalysis(alice.api, workspace.api_id)
  const ids = figures.map((figure) => figure.api_id).sort()
  for (const stream of [one, two]) {
    await stream.until(isAbout(last.api_id))
    for (const id of ids) await stream.until(isAbout(id))
    assert.deepEqual(activities(stream.seen, ids).sort(), ids)
    const order = stream.seen.map(({ id }) => Number(id.split('-')[0]))
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
  }
})

test('strangers are told nothing of it, nor when they resume', async () => {
  const bob = await signUp()
  const { workspace: own } = await toldPlace(bob)
  await using stream = await follow(bob.api)
  const start = await stream.until(() => true)
  const place = await newPlace(alice.api)
  await using herStream = await follow(alice.api, start.id)
  await herStream.until(isAbout(place.figure.api_id))
  const mark = await newAnalysis(bob.api, own.api_id)
  await using resumed = await follow(bob.api, start.id)
  for (const his of [stream, resumed]) {
    await his.until(isAbout(mark.api_id))
    const hers = [place.workspace, place.analysis, place.figure].map(({ api_id }) => api_id)
    assert.deepEqual(activities(his.seen, hers), [])
  }
})

test('silent writes are not told', async () => {
  const { analysis, figure } = await toldPlace(alice)
  await using stream = await follow(alice.api)
  await alice.api.patch(`figure/${figure.api_id}/?silent=true`, { name: 'Hush' })
  await alice.api.patch(`analysis/${analysis.api_id}/`, { name: 'Loud' })
  await stream.until(isAbout(analysis.api_id, 'update'))
  assert.deepEqual(activities(stream.seen, [figure.api_id]), [])
})

test('one needs to sign in, and an id that was sent from here', async () => {
  await using anonymous = await openEvents({})
  assert.equal(anonymous.response.status, 401)
  for (const after of ['yesterday', '-1', '12', '12-', `${'9'.repeat(30)}-1`]) {
    await using stream = await follow(alice.api, after)
    assert.equal(stream.response.status, 400)
    const { detail } = (await stream.response.json()) as Refusal
    assert.match(detail ?? '', /Last-Event-ID/)
  }
  await alice.api.request('POST', 'events/', { status: 405 })
})

test('an id of long ago, or from another life of the server, is answered with a gap', async () => {
  for (const after of ['0-1', `999999999999-${Date.now()}`]) {
    await using stream = await follow(alice.api, after)
    const begun = await stream.until(() => true)
    assert.deepEqual(begun.data, { has_gap: true })
    const workspace = await newWorkspace(alice.api)
    await stream.until(isAbout(workspace.api_id))
  }
})

test('a user has so many streams and no more; one that ends makes room', async () => {
  const opened: EventStream[] = []
  const open = async () => {
    const stream = await follow(alice.api)
    opened.push(stream)
    return stream
  }
  try {
    let refused = await open()
    while (refused.response.status === 200 && opened.length < 100) refused = await open()
    assert.equal(refused.response.status, 429)
    // Each process of tasks counts its own.
    const allowed = opened.length - 1
    assert.ok(allowed >= 10 && allowed <= 10 * deployment.replicas, `${allowed} streams`)
    assert.equal(((await refused.response.json()) as Refusal).error, 'too_many_streams')
    const bob = await signUp()
    await using others = await follow(bob.api)
    assert.equal(others.response.status, 200)
    await opened[0]?.[Symbol.asyncDispose]()
    while ((await open()).response.status !== 200) {
      assert.ok(opened.length < 100, 'the place of a stream that ended stays taken')
    }
  } finally {
    for (const stream of opened) await stream[Symbol.asyncDispose]()
  }
})

test('silent changes of comments are in no view of the activity, and told to nobody', async () => {
  const { figure } = await toldPlace(alice)
  await using stream = await follow(alice.api)
  await stream.until(() => true)
  const body = { target_type: 'figure', target_id: figure.api_id, content: 'x' }
  const { id } = (await alice.api.post<Comment>('comment/?silent=true', body)).body
  await alice.api.put(`comment/${id}/?silent=true`, { content: 'y' })
  await alice.api.delete(`comment/${id}/?silent=true`)
  const loud = await newComment(alice.api, 'figure', figure.api_id)
  await stream.until(({ event }) => event === 'comment')
  const told = stream.seen.flatMap(({ event, data }) => (event === 'comment' ? [data.id] : []))
  assert.deepEqual(told, [loud.id])
  // Logged after those before it, as all are on one target.
  const actions = async () => {
    const { body } = await alice.api.get<LogPage>(`figure/${figure.api_id}/log/?deep=true`)
    return body.items.map(({ action }) => action)
  }
  for (let left = 100; !(await actions()).includes('comment_create') && left > 0; left--) {
    await delay(50)
  }
  assert.deepEqual(await actions(), ['comment_create', 'create'])
})

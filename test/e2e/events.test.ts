import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { LiveEvent } from '@figbase/client'
import type { Client, Refusal } from '../src/client.js'
import { type Comment, newComment } from '../src/comments.js'
import { deployment, LATEST } from '../src/deployment.js'
import { type Followed, follow, isAbout } from '../src/event-stream.js'
import { figbaseOf } from '../src/figbase.js'
import { png } from '../src/images.js'
import {
  at,
  image,
  newAnalysis,
  newAsset,
  newAssetRevision,
  newFigure,
  newPlace,
  newRevision,
  newWorkspace,
} from '../src/publish.js'
import type { Analysis, Figure, LogPage } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
beforeEach(async () => {
  alice = await signUp()
})

/** The response alone. It must be closed. */
async function openStream({ authorization = '' }: Client) {
  const stop = new AbortController()
  const response = await fetch(new URL(`/api/${LATEST}/events/`, deployment.origin), {
    headers: { 'accept-encoding': 'gzip', authorization },
    signal: stop.signal,
  })
  return { response, close: () => stop.abort() }
}

/** Creates a workspace and waits for its events, so that a new stream receives only later ones. */
async function newPlaceWithEvents({ api, figbase }: TestUser) {
  await using stream = await follow(figbase)
  const place = await newPlace(api)
  await stream.until(isAbout(place.figure.api_id))
  return place
}

/** The targets of these events, in order. */
const activities = (events: LiveEvent[], ids: string[]) =>
  events.flatMap(({ event, data }) =>
    event === 'activity' && ids.includes(data.target_id) ? [data.target_id] : [],
  )

test('a stream is neither compressed nor changed on its way', async () => {
  const { response, close } = await openStream(alice.api)
  const { headers, status } = response
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(headers.get('content-encoding'), null)
  assert.match(headers.get('cache-control') ?? '', /no-transform/)
  close()
})

test('sends activity of a workspace with the user, the action and the target', async () => {
  await using stream = await follow(alice.figbase)
  const first = at(stream.seen, 0)
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
  // Events of one object are in order. The primary workspace has events, too.
  const ids = [workspace, analysis, figure].map(({ api_id }) => api_id)
  for (const [id, actions] of [
    [ids[0], ['create']],
    [ids[1], ['create', 'delete']],
    [ids[2], ['create', 'update']],
  ] as const) {
    const received = stream.seen.flatMap(({ event, data }) =>
      event === 'activity' && data.target_id === id ? [data.action] : [],
    )
    assert.deepEqual(received, actions)
  }
})

test('sends an event after the processing of a revision has ended', async () => {
  const { figure } = await newPlace(alice.api)
  await using stream = await follow(alice.figbase)
  const revision = await newRevision(alice.api, figure.api_id, [image(png(300, 200))])
  const { data } = await stream.until(({ event }) => event === 'revision')
  assert.deepEqual(data, {
    api_id: revision.api_id,
    figure: figure.api_id,
    is_processing: false,
  })
  const path = `revision/${revision.api_id}/status/`
  const { body } = await alice.api.get<{ is_processing: boolean }>(path)
  assert.equal(body.is_processing, false)
})

test('sends comment events to users who may view the target, with the action', async () => {
  const [viewer, stranger] = await Promise.all([signUp(), signUp()])
  const { workspace, figure } = await newPlaceWithEvents(alice)
  const member = { username: viewer.username, membership_type: 'viewer' }
  await alice.api.post(`workspace/${workspace.api_id}/members/add/`, member, 200)
  await newPlaceWithEvents(stranger)
  await using ownStream = await follow(alice.figbase)
  await using otherStream = await follow(stranger.figbase)
  const start = at(ownStream.seen, 0)

  const first = await newComment(alice.api, 'figure', figure.api_id)
  const answer = await newComment(viewer.api, 'figure', figure.api_id, 'Yes', first.id)
  const { body: edited } = await viewer.api.put<Comment>(`comment/${answer.id}/`, { content: 'No' })
  await viewer.api.delete(`comment/${answer.id}/`)
  const isDeletion = ({ event, data }: LiveEvent) => event === 'comment' && data.action === 'delete'
  await ownStream.until(isDeletion)
  const activitiesIn = (stream: Followed) =>
    stream.seen.flatMap(({ event, data }) => (event === 'comment' ? [data] : []))
  const all = activitiesIn(ownStream)
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

  // Also to users who connect later, and not also as an activity event.
  await using resumed = await follow(viewer.figbase, start.id)
  await resumed.until(isDeletion)
  assert.deepEqual(activitiesIn(resumed), all)
  const mark = await newWorkspace(stranger.api)
  await otherStream.until(isAbout(mark.api_id))
  assert.deepEqual(activitiesIn(otherStream), [])
  for (const { seen } of [ownStream, resumed]) {
    assert.deepEqual(activities(seen, [figure.api_id]), [])
  }
})

test('a resumed stream sends missed events once and in order', async () => {
  const { workspace } = await newPlaceWithEvents(alice)
  const ids: string[] = []
  const make = async (count: number) => {
    for (let n = 0; n < count; n++) {
      ids.push((await newAnalysis(alice.api, workspace.api_id, `${n}`)).api_id)
    }
  }
  let last: string
  {
    await using stream = await follow(alice.figbase)
    await make(2)
    for (const id of ids) await stream.until(isAbout(id))
    last = stream.seen.at(-1)?.id ?? ''
  }
  await make(5)
  await using resumed = await follow(alice.figbase, last)
  await make(3)
  const later = ids.slice(2)
  for (const id of later) await resumed.until(isAbout(id))
  assert.deepEqual(activities(resumed.seen, ids).sort(), later.sort())
  const [begun] = resumed.seen
  assert.deepEqual([begun?.event, begun?.data], ['begun', { has_gap: false }])

  // Resumed from the beginning it sends everything again.
  await using again = await follow(alice.figbase, begun?.id ?? '')
  for (const id of later) await again.until(isAbout(id))
  assert.deepEqual(activities(again.seen, ids), activities(resumed.seen, ids))
})

test('sends each of many concurrent changes once to each stream', async () => {
  const { analysis, workspace } = await newPlaceWithEvents(alice)
  await using one = await follow(alice.figbase)
  await using two = await follow(alice.figbase)
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

test('sends nothing to users without access, also when they resume', async () => {
  const bob = await signUp()
  const { workspace: own } = await newPlaceWithEvents(bob)
  await using stream = await follow(bob.figbase)
  const start = at(stream.seen, 0)
  const place = await newPlace(alice.api)
  await using herStream = await follow(alice.figbase, start.id)
  await herStream.until(isAbout(place.figure.api_id))
  const mark = await newAnalysis(bob.api, own.api_id)
  await using resumed = await follow(bob.figbase, start.id)
  for (const each of [stream, resumed]) {
    await each.until(isAbout(mark.api_id))
    const ids = [place.workspace, place.analysis, place.figure].map(({ api_id }) => api_id)
    assert.deepEqual(activities(each.seen, ids), [])
  }
})

test('sends no events for silent writes', async () => {
  const { analysis, figure } = await newPlaceWithEvents(alice)
  await using stream = await follow(alice.figbase)
  await alice.api.patch(`figure/${figure.api_id}/?silent=true`, { name: 'Hush' })
  await alice.api.patch(`analysis/${analysis.api_id}/`, { name: 'Loud' })
  await stream.until(isAbout(analysis.api_id, 'update'))
  assert.deepEqual(activities(stream.seen, [figure.api_id]), [])
})

test('requires credentials and a valid Last-Event-ID', async () => {
  await assert.rejects(follow(figbaseOf()), { status: 401 })
  for (const after of ['yesterday', '-1', '12', '12-', `${'9'.repeat(30)}-1`]) {
    await assert.rejects(follow(alice.figbase, after), { status: 400, detail: /Last-Event-ID/ })
  }
  await alice.api.request('POST', 'events/', { status: 405 })
})

test('reports a gap for an old id and one from a previous database', async () => {
  for (const after of ['0-1', `999999999999-${Date.now()}`]) {
    await using stream = await follow(alice.figbase, after)
    assert.deepEqual(stream.seen[0]?.data, { has_gap: true })
    const workspace = await newWorkspace(alice.api)
    await stream.until(isAbout(workspace.api_id))
  }
})

test('limits the number of streams per user', async () => {
  const opened: Awaited<ReturnType<typeof openStream>>[] = []
  const open = async () => {
    const stream = await openStream(alice.api)
    opened.push(stream)
    return stream
  }
  try {
    let refused = await open()
    while (refused.response.status === 200 && opened.length < 100) refused = await open()
    assert.equal(refused.response.status, 429)
    // Each process of the tasks service counts separately.
    const allowed = opened.length - 1
    assert.ok(allowed >= 10 && allowed <= 10 * deployment.replicas, `${allowed} streams`)
    assert.equal(((await refused.response.json()) as Refusal).error, 'too_many_streams')
    const bob = await signUp()
    await using _others = await follow(bob.figbase)
    opened[0]?.close()
    while ((await open()).response.status !== 200) {
      assert.ok(opened.length < 100, 'the place of a stream that ended stays taken')
    }
  } finally {
    for (const { close } of opened) close()
  }
})

test('silent changes of comments appear neither in the activity log nor as events', async () => {
  const { figure } = await newPlaceWithEvents(alice)
  await using stream = await follow(alice.figbase)
  const body = { target_type: 'figure', target_id: figure.api_id, content: 'x' }
  const { id } = (await alice.api.post<Comment>('comment/?silent=true', body)).body
  await alice.api.put(`comment/${id}/?silent=true`, { content: 'y' })
  await alice.api.delete(`comment/${id}/?silent=true`)
  const loud = await newComment(alice.api, 'figure', figure.api_id)
  await stream.until(({ event }) => event === 'comment')
  const received = stream.seen.flatMap(({ event, data }) => (event === 'comment' ? [data.id] : []))
  assert.deepEqual(received, [loud.id])
  // Entries of one target are logged in order, so this one comes last.
  const actions = async () => {
    const { body } = await alice.api.get<LogPage>(`figure/${figure.api_id}/log/?deep=true`)
    return body.items.map(({ action }) => action)
  }
  for (let left = 100; !(await actions()).includes('comment_create') && left > 0; left--) {
    await delay(50)
  }
  assert.deepEqual(await actions(), ['comment_create', 'create'])
})

test('a figure is stale from a new revision of its asset until it is confirmed or published again', async () => {
  const { api } = alice
  const bob = await signUp()
  const { workspace, analysis, figure } = await newPlaceWithEvents(alice)
  const asset = await newAsset(api, workspace.api_id)
  const addVersion = async () => (await newAssetRevision(api, asset.api_id)).api_id
  const first = await addVersion()
  const using = (id: string) => ({ assets: [{ asset_revision: id, use_type: 'direct' }] })
  const revision = (await newRevision(api, figure.api_id, [], using(first))).api_id
  const path = `figure/${figure.api_id}/`
  await api.post(`${path}share/user/`, { username: bob.username, sharing_enabled: true }, 200)
  const read = async ({ api: reader } = alice) => (await reader.get<Figure>(path)).body
  const listed = async () => (await api.get<Figure[]>(`workspace/${workspace.api_id}/stale/`)).body
  const before = await read()
  assert.deepEqual([before.is_stale, before.stale_because, await listed()], [false, [], []])

  await using stream = await follow(bob.figbase)
  await using own = await follow(alice.figbase)
  const second = await newAssetRevision(api, asset.api_id)
  const { data } = await own.until(({ event }) => event === 'stale')
  assert.deepEqual(data, {
    ...{ figure: figure.api_id, figure_name: figure.name, analysis: analysis.api_id },
    ...{ workspace: workspace.api_id, timestamp: second.created_on },
  })
  const stale = await read()
  assert.equal(stale.is_stale, true)
  const because = {
    ...{ asset: asset.api_id, asset_name: asset.name },
    ...{ used_revision: first, used_revision_index: 0 },
    ...{ newest_revision: second.api_id, newest_revision_index: 1 },
    ...{ changed_on: second.created_on, changed_by: alice.username },
  }
  assert.deepEqual(stale.stale_because, [because])
  const { revisions: _, thumbnail: __, ...shallow } = stale as Figure & { thumbnail: unknown }
  assert.deepEqual(await listed(), [shallow])
  const whole = (await api.get<Analysis>(`analysis/${analysis.api_id}/`)).body
  assert.deepEqual(
    whole.figures?.map((one) => one.is_stale),
    [true],
  )
  // Who may not view the asset learns only that an asset has changed.
  const ofBob = await read(bob)
  assert.deepEqual([ofBob.is_stale, ofBob.stale_because], [true, []])
  await bob.api.get(`workspace/${workspace.api_id}/stale/`, 403)
  assert.ok(!stream.seen.some(({ event }) => event === 'stale'))

  // Its links may change.
  const relink = (id: string) => api.patch(`revision/${revision}/`, using(id))
  await relink(second.api_id)
  assert.equal((await read()).is_stale, false)
  for (const anchor of ['asset_revision', 'figure_revision']) {
    await relink(first)
    assert.equal((await read()).is_stale, true)
    const unlinking = { figure_revision: revision, anchor }
    await api.post(`asset_revision/${first}/unlink_figure/`, unlinking, 200)
    assert.equal((await read()).is_stale, false)
  }

  await relink(first)
  const confirm = (reason: unknown, status: number, who = api) =>
    who.post<Figure>(`${path}still_right/`, { reason }, status)
  for (const reason of [undefined, 3, '', 'x'.repeat(401)]) await confirm(reason, 400)
  await confirm('I may only view it', 403, bob.api)
  const { body: confirmed } = await confirm('the same data', 200)
  assert.deepEqual([confirmed.is_stale, confirmed.stale_because], [false, []])
  const { items } = (await api.get<LogPage>(`${path}log/?deep=true`)).body
  const { action, note, reason, username } = at(items, 0)
  assert.deepEqual(
    [action, note, reason, username],
    [...['update', 'still_right', 'the same data', alice.username]],
  )

  const third = await addVersion()
  assert.equal((await read()).is_stale, true)
  await newRevision(api, figure.api_id, [], using(third))
  assert.equal((await read()).is_stale, false)
})

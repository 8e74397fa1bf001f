import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { client } from '../src/client.js'
import {
  type Comment,
  commentsPath,
  listComments,
  newComment,
  newReaction,
  type TargetType,
} from '../src/comments.js'
import { newAnalysis, newAsset, newAssetRevision, newPlace, newRevision } from '../src/publish.js'
import type { LogItem, LogPage } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let owner: TestUser
let here: TestUser
let there: TestUser
before(async () => {
  ;[owner, here, there] = await Promise.all([signUp(), signUp(), signUp()])
})

type Targets = Record<TargetType, string>

/** A workspace that `member` may view. */
async function newPlaceWithMember(member: TestUser) {
  const place = await newPlace(owner.api)
  const body = { username: member.username, membership_type: 'viewer' }
  await owner.api.post(`workspace/${place.workspace.api_id}/members/add/`, body, 200)
  return place
}

/** Objects of all types with comments, each with a comment by `member` and an answer by the owner. */
async function commentedPlace(member: TestUser) {
  const place = await newPlaceWithMember(member)
  const asset = (await newAsset(owner.api, place.workspace.api_id)).api_id
  const targets: Targets = {
    figure: place.figure.api_id,
    figure_revision: (await newRevision(owner.api, place.figure.api_id, [])).api_id,
    asset,
    asset_revision: (await newAssetRevision(owner.api, asset, [])).api_id,
  }
  for (const [type, id] of entriesOf(targets)) {
    const { id: first } = await newComment(member.api, type, id, `On ${type}`)
    await newComment(owner.api, type, id, 'Thanks', first)
    await newReaction(owner.api, first)
  }
  return { ...place, targets }
}

const entriesOf = (targets: Targets) => Object.entries(targets) as [TargetType, string][]

async function read(who: TestUser, targets: Targets) {
  const found: Comment[] = []
  for (const [type, id] of entriesOf(targets))
    found.push(...(await listComments(who.api, type, id)))
  return found
}

async function isRefused(who: TestUser, targets: Targets, status: 403 | 404) {
  for (const [type, id] of entriesOf(targets)) await who.api.get(commentsPath(type, id), status)
}

type Entry = Pick<LogItem, 'action' | 'target_id' | 'username'>

/** Waits until the newest log entries are those of these comments, newest first. */
async function waitForEntries(path: string, expected: Entry[]) {
  for (const deadline = Date.now() + 20_000; ; await delay(50)) {
    const { items } = (await owner.api.get<LogPage>(`${path}/log/?deep=true`)).body
    const newest = items
      .slice(0, expected.length)
      .map(({ action, target_id, username }) => ({ action, target_id, username }))
    if (JSON.stringify(newest) !== JSON.stringify(expected) && Date.now() < deadline) continue
    assert.deepEqual(newest, expected, path)
    return items
  }
}

/** The number of log entries about comments. */
const ofComments = (items: LogItem[]) =>
  items.filter(({ action }) => action.startsWith('comment_')).length

test('comments move with a figure to another analysis, and appear in its log from then on', async () => {
  const { workspace, analysis, figure, targets } = await commentedPlace(here)
  const old = `analysis/${analysis.api_id}`
  const action = 'comment_create'
  await waitForEntries(
    old,
    [targets.figure_revision, targets.figure].flatMap((target_id) =>
      [owner, here].map(({ username }) => ({ action, target_id, username })),
    ),
  )
  const before = await read(here, targets)
  assert.equal(before.length, 8)
  const other = (await newAnalysis(owner.api, workspace.api_id)).api_id
  await owner.api.put(`figure/${figure.api_id}/`, { analysis: other })
  assert.deepEqual(await read(here, targets), before)
  assert.deepEqual(await read(owner, targets), before)

  await newComment(here.api, 'figure_revision', targets.figure_revision)
  const entry = { action, target_id: targets.figure_revision, username: here.username }
  const inOther = await waitForEntries(`analysis/${other}`, [entry])
  assert.equal(
    ofComments(inOther),
    1,
    'earlier entries should stay in the log of the previous analysis',
  )
  const whole = await waitForEntries(`figure/${figure.api_id}`, [entry])
  assert.equal(ofComments(whole), 5)
  const inOld = (await owner.api.get<LogPage>(`${old}/log/?deep=true`)).body.items
  assert.equal(ofComments(inOld), 4)
})

test('comments move to another workspace, whose users and nobody else can read and write them', async () => {
  const from = await commentedPlace(here)
  const to = await newPlaceWithMember(there)
  const { targets } = from
  const before = await read(here, targets)
  const [own] = before
  assert.ok(own)
  await isRefused(there, targets, 403)

  await owner.api.put(`figure/${targets.figure}/`, { analysis: to.analysis.api_id })
  await owner.api.put(`asset/${targets.asset}/`, { workspace: to.workspace.api_id })
  await isRefused(here, targets, 403)
  await here.api.put(`comment/${own.id}/`, { content: 'x' }, 403)
  await here.api.delete(`comment/${own.id}/`, 403)
  await here.api.get(`reaction/?comment_id=${own.id}`, 403)
  assert.deepEqual(await read(there, targets), before)
  const reactions = await there.api.get<unknown[]>(`reaction/?comment_id=${own.id}`)
  assert.equal(reactions.body.length, 1)

  const answer = await newComment(there.api, 'figure', targets.figure, 'And so?', own.id)
  const entry = { action: 'comment_create', target_id: targets.figure, username: there.username }
  await waitForEntries(`workspace/${to.workspace.api_id}`, [entry])
  const old = await owner.api.get<LogPage>(`workspace/${from.workspace.api_id}/log/?deep=true`)
  assert.ok(old.body.items.every(({ username }) => username !== there.username))

  // The analysis moves back.
  const back = { workspace: from.workspace.api_id }
  await owner.api.put(`analysis/${to.analysis.api_id}/`, back)
  const { asset, asset_revision, ...figures } = targets
  const all = await listComments(here.api, 'figure', targets.figure)
  assert.deepEqual(all.at(-1), answer)
  for (const [type, id] of Object.entries(figures) as [TargetType, string][]) {
    await there.api.get(commentsPath(type, id), 403)
  }
  assert.equal((await listComments(there.api, 'asset', asset)).length, 2)
  assert.equal((await listComments(there.api, 'asset_revision', asset_revision)).length, 2)
})

test('comments disappear at once with their object or its parent', async () => {
  const { workspace, targets } = await commentedPlace(here)
  const comments = await read(here, targets)
  const { figure, figure_revision, asset, asset_revision } = targets
  const gone = async (...ids: string[]) => {
    for (const [type, id] of entriesOf(targets).filter(([, id]) => ids.includes(id))) {
      for (const who of [owner, here, there]) {
        await who.api.get(commentsPath(type, id), 404)
        await who.api.post('comment/', { target_type: type, target_id: id, content: 'x' }, 404)
      }
      await client().get(commentsPath(type, id), 401)
    }
    for (const { id, target_id, user } of comments) {
      if (!ids.includes(target_id)) continue
      const author = user.username === here.username ? here : owner
      await author.api.put(`comment/${id}/`, { content: 'x' }, 404)
      await author.api.delete(`comment/${id}/`, 404)
      await author.api.get(`reaction/?comment_id=${id}`, 404)
      await author.api.post('reaction/', { comment_id: id, emoji: '👍' }, 404)
    }
  }
  await owner.api.delete(`revision/${figure_revision}/`)
  await gone(figure_revision)
  assert.equal((await listComments(here.api, 'figure', figure)).length, 2)
  await owner.api.delete(`figure/${figure}/`)
  await gone(figure_revision, figure)
  assert.equal((await listComments(here.api, 'asset', asset)).length, 2)
  await owner.api.delete(`workspace/${workspace.api_id}/`)
  await gone(figure_revision, figure, asset, asset_revision)
})

test('logs each change of a comment, also on deleted objects', async () => {
  const { workspace, analysis, figure, targets } = await commentedPlace(here)
  const { figure_revision } = targets
  const { id } = await newComment(here.api, 'figure_revision', figure_revision)
  await here.api.put(`comment/${id}/`, { content: 'Better' })
  await here.api.delete(`comment/${id}/`)
  const changes = ['delete', 'update', 'create'].map((change) => ({
    action: `comment_${change}`,
    target_id: figure_revision,
    username: here.username,
  }))
  const paths = [
    `revision/${figure_revision}`,
    `figure/${figure.api_id}`,
    `analysis/${analysis.api_id}`,
    `workspace/${workspace.api_id}`,
  ]
  for (const path of paths) {
    const [newest] = await waitForEntries(path, changes)
    assert.ok(newest)
    assert.deepEqual([newest.target_type, newest.target_name], ['figure_revision', figure.name])
    assert.deepEqual([newest.deleted, newest.analysis_id], [false, analysis.api_id])
    const { body } = await here.api.get(`${path}/log/${newest.api_id}/`)
    assert.deepEqual(body, newest)
  }
  const top = `workspace/${workspace.api_id}`
  const dedup = await owner.api.get<LogPage>(`${top}/log/?deep=true&deduplicate=true`)
  assert.equal(dedup.body.items.filter((one) => one.target_id === figure_revision).length, 1)
  await owner.api.delete(`revision/${figure_revision}/`)
  const [deletion, newest] = (await owner.api.get<LogPage>(`${top}/log/?deep=true`)).body.items
  assert.equal(deletion?.action, 'delete')
  assert.deepEqual([newest?.action, newest?.deleted], ['comment_delete', true])
  const left = await owner.api.get<LogPage>(`${top}/log/?deep=true&exclude_deleted=true`)
  assert.ok(left.body.items.every((one) => one.target_id !== figure_revision))
})

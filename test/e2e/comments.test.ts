import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import {
  type Comment,
  listComments,
  newComment,
  newReaction,
  type Reaction,
  type TargetType,
} from '../src/comments.js'
import { LATEST } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  file,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newWorkspace,
  publish,
  publishAsset,
} from '../src/publish.js'
import type { Figure, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let owner: TestUser
let viewer: TestUser
let stranger: TestUser
let workspace: string
const targets: Record<TargetType, string> = {
  figure: '',
  figure_revision: '',
  asset: '',
  asset_revision: '',
}

before(async () => {
  ;[owner, viewer, stranger] = await Promise.all([signUp(), signUp(), signUp()])
  workspace = (await newWorkspace(owner.api)).api_id
  const member = { username: viewer.username, membership_type: 'viewer' }
  await owner.api.post(`workspace/${workspace}/members/add/`, member, 200)
  const { api_id: analysis } = await newAnalysis(owner.api, workspace)
  targets.figure = (await newFigure(owner.api, analysis)).api_id
  targets.asset = (await newAsset(owner.api, workspace)).api_id
  targets.figure_revision = (await publish(owner.api, targets.figure, [image(png(9, 9))])).api_id
  const assetRevision = await publishAsset(owner.api, targets.asset, [file(Buffer.from('1'))])
  targets.asset_revision = assetRevision.api_id
})

const onFigure = (me: Client, content?: string, parent?: string) =>
  newComment(me, 'figure', targets.figure, content, parent)

test('supports comments on all four types of objects, each separately', async () => {
  for (const type of Object.keys(targets) as TargetType[]) {
    const content = `On ${type}: **Markdown** stays as it is\r\n`
    const comment = await newComment(viewer.api, type, targets[type], content)
    assert.equal(comment.content, content)
    assert.deepEqual([comment.target_type, comment.target_id], [type, targets[type]])
    assert.deepEqual([comment.is_edited, comment.is_deleted], [false, false])
    assert.equal(comment.parent_comment_id, null)
    assert.equal(comment.created_on, comment.updated_on)
    const listed = await listComments(owner.api, type, targets[type])
    assert.deepEqual(listed.at(-1), comment)
  }
})

test('shows only the public fields of the author', async () => {
  const { user } = await onFigure(viewer.api)
  const { body: known } = await owner.api.get(`user/${viewer.username}/`)
  assert.deepEqual(user, known)
  assert.ok(!('email' in user) && !('user_profile' in user))
  const own = (await listComments(viewer.api, 'figure', targets.figure)).at(-1)
  assert.deepEqual(own?.user, user)
})

test('the author can edit a comment, which is marked, and delete it', async () => {
  const { id, created_on } = await onFigure(viewer.api, 'one')
  const { body: edited } = await viewer.api.put<Comment>(`comment/${id}/`, { content: 'two' })
  assert.deepEqual([edited.content, edited.is_edited], ['two', true])
  assert.equal(edited.created_on, created_on)
  assert.ok(edited.updated_on > created_on)
  await owner.api.put(`comment/${id}/`, { content: 'x' }, 403)
  await owner.api.delete(`comment/${id}/`, 403)
  await viewer.api.delete(`comment/${id}/`)
  await viewer.api.delete(`comment/${id}/`, 404)
  const listed = await listComments(owner.api, 'figure', targets.figure)
  assert.ok(listed.every((comment) => comment.id !== id))
})

test('keeps a placeholder of a deleted comment with answers; counts exclude answers', async () => {
  const count = async () => {
    const { body } = await owner.api.get<{ count: number }>(
      `revision/${targets.figure_revision}/comment_count/`,
    )
    return body.count
  }
  const on = (me: Client, content: string, parent?: string) =>
    newComment(me, 'figure_revision', targets.figure_revision, content, parent)
  const before = await count()
  const root = await on(viewer.api, 'root')
  const answer = await on(owner.api, 'answer', root.id)
  assert.equal(answer.parent_comment_id, root.id)
  assert.equal(await count(), before + 1)
  await viewer.api.delete(`comment/${root.id}/`)
  const listed = await listComments(owner.api, 'figure_revision', targets.figure_revision)
  const place = listed.find(({ id }) => id === root.id)
  assert.deepEqual([place?.is_deleted, place?.content], [true, ''])
  assert.equal(await count(), before + 1)
  await owner.api.delete(`comment/${answer.id}/`)
  assert.equal(await count(), before)
})

test('sends 400 with the member for invalid requests, and writes nothing', async () => {
  const on = { target_type: 'figure', target_id: targets.figure }
  const earlier = await listComments(owner.api, 'figure', targets.figure)
  const odd: [object, string][] = [
    [{ ...on }, 'content'],
    [{ ...on, content: '' }, 'content'],
    [{ ...on, content: ' \n ' }, 'content'],
    [{ ...on, content: 1 }, 'content'],
    [{ ...on, content: 'x'.repeat(65_537) }, 'content'],
    [{ ...on, content: 'a\0b' }, 'content'],
    [{ ...on, content: 'x', target_type: 'workspace' }, 'target_type'],
    [{ ...on, content: 'x', target_type: '__proto__' }, 'target_type'],
    [{ ...on, content: 'x', target_type: 'constructor' }, 'target_type'],
    [{ target_id: targets.figure, content: 'x' }, 'target_type'],
    [{ target_type: 'figure', content: 'x' }, 'target_id'],
    [{ ...on, content: 'x', parent_comment_id: randomUUID() }, 'parent_comment_id'],
    [{ ...on, content: 'x', parent_comment_id: 5 }, 'parent_comment_id'],
  ]
  for (const [body, field] of odd) {
    const answer = await owner.api.post<Refusal>('comment/', body, 400)
    assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`))
  }
  assert.deepEqual(await listComments(owner.api, 'figure', targets.figure), earlier)
  const queries = [
    ['comment/', 'target_type'],
    [`comment/?target_type=figure`, 'target_id'],
    [`comment/?target_id=${targets.figure}`, 'target_type'],
    [`comment/?target_type=data&target_id=${targets.figure}`, 'target_type'],
    ['reaction/', 'comment_id'],
  ] as const
  for (const [path, field] of queries) {
    assert.match(messageOf(await owner.api.get<Refusal>(path, 400)), new RegExp(`\\b${field}\\b`))
  }
})

test('sends 404 for unknown objects and wrong types', async () => {
  const nowhere = randomUUID()
  for (const [type, id] of [
    ['figure', nowhere],
    ['figure', 'x'],
    ['asset', targets.figure],
  ]) {
    await owner.api.get(`comment/?target_type=${type}&target_id=${id}`, 404)
    await owner.api.post('comment/', { target_type: type, target_id: id, content: 'x' }, 404)
  }
  for (const id of [nowhere, 'x']) {
    await owner.api.put(`comment/${id}/`, { content: 'x' }, 404)
    await owner.api.delete(`comment/${id}/`, 404)
    await owner.api.post(`comment/${id}/create_ai_response/`, {}, 404)
    await owner.api.get(`reaction/?comment_id=${id}`, 404)
    await owner.api.post('reaction/', { comment_id: id, emoji: '👍' }, 404)
    await owner.api.delete(`reaction/${id}/`, 404)
  }
})

test('access by link alone allows neither reading nor writing comments', async () => {
  const link = `figure/${targets.figure}/share/link/`
  const { id } = await onFigure(owner.api, 'seen by link')
  const path = `comment/?target_type=figure&target_id=${targets.figure}`
  const anonymous = client(LATEST)
  await owner.api.post(link, { enabled: true }, 200)
  const [{ api_id: revision }] = (await owner.api.get<Figure>(`figure/${targets.figure}/`)).body
    .revisions as [Revision]
  const counted = `revision/${revision}/comment_count/`
  for (const [reader, status] of [
    [anonymous, 401],
    [stranger.api, 403],
  ] as const) {
    await reader.get(`figure/${targets.figure}/`)
    for (const closed of [path, `reaction/?comment_id=${id}`, counted]) {
      await reader.get(closed, status)
    }
    const on = { target_type: 'figure', target_id: targets.figure }
    await reader.post('comment/', { ...on, content: 'by link' }, status)
    await reader.post('reaction/', { comment_id: id, emoji: '👍' }, status)
  }
  const entries = async (me: Client) =>
    (await me.get<{ action: string }[]>(`figure/${targets.figure}/log/`)).body
  const isComment = ({ action }: { action: string }) => action.startsWith('comment')
  const readsOfLog = await entries(stranger.api)
  assert.ok(readsOfLog.length > 0)
  assert.deepEqual(readsOfLog.filter(isComment), [])

  // This also applies to authors who now have access only by link.
  const share = (sharing_enabled: boolean) => {
    const body = { username: stranger.username, sharing_enabled }
    return owner.api.post(`figure/${targets.figure}/share/user/`, body, 200)
  }
  await share(true)
  const mine = await onFigure(stranger.api, 'by share')
  assert.ok(
    (await listComments(stranger.api, 'figure', targets.figure)).some((one) => one.id === id),
  )
  await share(false)
  await stranger.api.put(`comment/${mine.id}/`, { content: 'x' }, 403)
  await owner.api.post(link, { enabled: false }, 200)
})

test('a key for one workspace can comment only there', async () => {
  const { api_id: elsewhere } = await newWorkspace(owner.api)
  const here = callerWith(await newApiKey(owner.api, { workspace }))
  const there = callerWith(await newApiKey(owner.api, { workspace: elsewhere }))
  const { id } = await onFigure(here, 'by a key')
  await there.put(`comment/${id}/`, { content: 'x' }, 403)
  const body = { target_type: 'figure', target_id: targets.figure, content: 'x' }
  await there.post('comment/', body, 403)
  await here.delete(`comment/${id}/`)
})

test('a user can react once with each emoji, and delete their own reactions', async () => {
  const { id: comment_id } = await onFigure(owner.api)
  const react = (me: Client, emoji: string, status = 201) =>
    me.post<Reaction>('reaction/', { comment_id, emoji }, status)
  const { body: first } = await react(viewer.api, '👩‍🚀')
  assert.deepEqual(
    [first.comment_id, first.emoji, first.user.username],
    [comment_id, '👩‍🚀', viewer.username],
  )
  assert.deepEqual((await react(viewer.api, '👩‍🚀', 200)).body, first)
  await react(owner.api, '👩‍🚀')
  await react(viewer.api, '🇨🇭')
  const { body: listed } = await owner.api.get<Reaction[]>(`reaction/?comment_id=${comment_id}`)
  assert.deepEqual(
    listed.map(({ emoji }) => emoji),
    ['👩‍🚀', '👩‍🚀', '🇨🇭'],
  )
  for (const emoji of ['', 'ok', '👍👍', ':+1:', '<b>']) {
    const answer = await viewer.api.post<Refusal>('reaction/', { comment_id, emoji }, 400)
    assert.match(messageOf(answer), /emoji/)
  }
  await owner.api.delete(`reaction/${first.id}/`, 403)
  await viewer.api.delete(`reaction/${first.id}/`)
  await viewer.api.delete(`reaction/${first.id}/`, 404)
})

test('the account export contains the comments and reactions of the user', async () => {
  const person = await signUp()
  const member = { username: person.username, membership_type: 'viewer' }
  await owner.api.post(`workspace/${workspace}/members/add/`, member, 200)
  const { user: _, ...mine } = await onFigure(person.api, 'mine')
  const { user: __, ...reaction } = await newReaction(person.api, mine.id)
  await owner.api.post(`workspace/${workspace}/members/remove/`, { username: person.username }, 200)
  const { body } = await person.api.get<{ comments: object[]; reactions: object[] }>(
    `user/${person.username}/export/`,
  )
  assert.deepEqual(body.comments, [mine])
  assert.deepEqual(body.reactions, [reaction])
})

test('comments of a deleted account keep only the username', async () => {
  const person = await signUp()
  const member = { username: person.username, membership_type: 'viewer' }
  await owner.api.post(`workspace/${workspace}/members/add/`, member, 200)
  const { id } = await onFigure(person.api, 'I was here')
  const { password } = person
  await person.api.request('DELETE', `user/${person.username}/`, {
    json: { password },
    status: 204,
  })
  const listed = await listComments(owner.api, 'figure', targets.figure)
  const left = listed.find((comment) => comment.id === id)
  assert.equal(left?.content, 'I was here')
  assert.equal(left?.user.username, person.username)
  assert.equal(left?.user.first_name, '')
})

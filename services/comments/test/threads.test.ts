import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { seededRandom } from '@figbase/kit/testing'
import { ann, as, bob, failureOf, figure, revision, start } from './test-service.js'

test('a deleted comment with replies stays as a placeholder until its last reply is deleted', async () => {
  await using at = await start('local')
  const root = await at.write('root')
  const reply = await at.write('reply', root.id)
  const last = await at.write('last', reply.id)
  await at.client.createReaction({ commentId: root.id, emoji: '👍' }, bob)
  await at.client.deleteComment({ id: root.id }, ann)
  await at.client.deleteComment({ id: reply.id }, ann)
  const left = (await at.list()).map(({ id, content, isDeleted, isEdited, author }) => ({
    id,
    content,
    isDeleted,
    isEdited,
    author,
  }))
  const place = { content: '', isDeleted: true, isEdited: false, author: 'ann' }
  assert.deepEqual(left, [
    { id: root.id, ...place },
    { id: reply.id, ...place },
    { id: last.id, content: 'last', isDeleted: false, isEdited: false, author: 'ann' },
  ])
  assert.equal((await at.client.countComments(figure, ann)).count, 1)
  const reactions = await at.ctx.db.selectFrom('reaction').selectAll().execute()
  assert.deepEqual(reactions, [])
  const commentId = root.id
  const missing = { code: Code.NotFound, error: 'not_found', fields: [] }
  assert.deepEqual(await failureOf(at.client.listReactions({ commentId }, ann)), missing)
  assert.deepEqual(
    await failureOf(at.client.createReaction({ commentId, emoji: '👍' }, ann)),
    missing,
  )
  assert.deepEqual(
    await failureOf(at.client.updateComment({ id: root.id, content: 'x' }, ann)),
    missing,
  )
  // The thread continues below the placeholder.
  const more = await at.write('more', root.id)
  await at.client.deleteComment({ id: last.id }, ann)
  assert.deepEqual(
    (await at.list()).map(({ id }) => id),
    [root.id, more.id],
  )
  await at.client.deleteComment({ id: more.id }, ann)
  assert.deepEqual(await at.list(), [])
  assert.equal((await at.client.countComments(figure, ann)).count, 0)
})

test('a reply must be to a comment on the same object and within the maximum depth', async () => {
  await using at = await start('local', { COMMENT_DEPTH_MAX: '3' })
  const { comment: elsewhere } = await at.client.createComment({ ...revision, content: 'x' }, ann)
  const parents = [elsewhere?.id ?? '', crypto.randomUUID(), 'x', figure.targetId]
  for (const parentCommentId of parents) {
    const failure = await failureOf(
      at.client.createComment({ ...figure, content: 'x', parentCommentId }, ann),
    )
    assert.equal(failure.code, Code.InvalidArgument)
    assert.deepEqual(failure.fields, ['parent_comment_id'])
  }
  assert.deepEqual(await at.list(), [])
  const one = await at.write()
  const two = await at.write('two', one.id)
  const three = await at.write('three', two.id)
  const deep = at.client.createComment({ ...figure, content: 'x', parentCommentId: three.id }, ann)
  assert.deepEqual((await failureOf(deep)).fields, ['parent_comment_id'])
})

type Model = {
  id: string
  parent: Model | undefined
  author: string
  content: string
  isDeleted: boolean
  isEdited: boolean
}

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const people = ['ann', 'bob']

test(`threads match a model after random changes (SEED=${seed})`, async () => {
  await using at = await start('local', { COMMENT_DEPTH_MAX: '5' })
  const random = seededRandom(seed)
  const one = <T>(items: T[]): T | undefined => items[Math.floor(random() * items.length)]
  const depthOf = (of: Model | undefined): number => (of ? 1 + depthOf(of.parent) : 0)
  let model: Model[] = []

  const create = async () => {
    const parent = random() < 0.7 ? one(model) : undefined
    const author = one(people) ?? ''
    const content = 'é'.repeat(1 + Math.floor(random() * 5))
    const request = { ...figure, content, parentCommentId: parent?.id ?? '' }
    const call = at.client.createComment(request, as(author))
    if (depthOf(parent) >= 5) {
      assert.deepEqual((await failureOf(call)).fields, ['parent_comment_id'])
      return
    }
    const { comment } = await call
    assert.ok(comment)
    model.push({ id: comment.id, parent, author, content, isDeleted: false, isEdited: false })
  }
  const change = async () => {
    const of = one(model)
    const author = one(people) ?? ''
    if (!of) return
    const isUpdate = random() < 0.4
    const call = isUpdate
      ? at.client.updateComment({ id: of.id, content: 'changed' }, as(author))
      : at.client.deleteComment({ id: of.id }, as(author))
    if (of.isDeleted) assert.equal((await failureOf(call)).code, Code.NotFound)
    else if (of.author !== author) {
      assert.equal((await failureOf(call)).code, Code.PermissionDenied)
    } else {
      await call
      if (isUpdate) Object.assign(of, { content: 'changed', isEdited: true })
      else remove(of)
    }
  }
  const hasReplies = (of: Model) => model.some(({ parent }) => parent === of)
  const remove = (of: Model) => {
    Object.assign(of, { content: '', isDeleted: true, isEdited: false })
    for (let gone: Model | undefined = of; gone?.isDeleted && !hasReplies(gone); ) {
      const { parent }: Model = gone
      model = model.filter((left) => left !== gone)
      gone = parent
    }
  }

  for (let step = 0; step < 300; step++) {
    await (random() < 0.55 ? create() : change())
    if (step % 10 < 9) continue
    const listed = await at.list()
    assert.deepEqual(
      listed.map((c) => [c.id, c.parentCommentId, c.author, c.content, c.isDeleted, c.isEdited]),
      model.map((m) => [m.id, m.parent?.id ?? '', m.author, m.content, m.isDeleted, m.isEdited]),
    )
    const threads = listed.filter(({ parentCommentId }) => !parentCommentId).length
    assert.equal((await at.client.countComments(figure, ann)).count, threads)
    const target = await at.ctx.db.selectFrom('target').selectAll().executeTakeFirst()
    const bytes = listed.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    const counted = target && [target.comments, target.threads, Number(target.content_bytes)]
    if (target) assert.deepEqual(counted, [listed.length, threads, bytes])
  }
})

test('concurrent deletions and replies leave no reply without its parent', async () => {
  await using at = await start('local')
  for (let round = 0; round < 10; round++) {
    const root = await at.write('root')
    const reply = await at.write('reply', root.id)
    const calls = [
      at.client.deleteComment({ id: root.id }, ann),
      at.client.deleteComment({ id: reply.id }, ann),
      at.client.createComment({ ...figure, content: 'x', parentCommentId: reply.id }, bob),
      at.client.createComment({ ...figure, content: 'x', parentCommentId: root.id }, bob),
      at.client.createReaction({ commentId: root.id, emoji: '👍' }, bob),
    ]
    await Promise.allSettled(calls)
    const listed = await at.list()
    const ids = new Set(listed.map(({ id }) => id))
    const answered = new Set(listed.map(({ parentCommentId }) => parentCommentId))
    for (const { id, parentCommentId, isDeleted } of listed) {
      assert.ok(!parentCommentId || ids.has(parentCommentId))
      assert.ok(!isDeleted || answered.has(id))
    }
    const target = await at.ctx.db.selectFrom('target').selectAll().executeTakeFirstOrThrow()
    const threads = listed.filter(({ parentCommentId }) => !parentCommentId).length
    assert.deepEqual([target.comments, target.threads], [listed.length, threads])
  }
})

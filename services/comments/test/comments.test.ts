import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { NodeType } from '@figbase/proto/catalog'
import { sql } from 'kysely'
import {
  ann,
  bob,
  eve,
  failureOf,
  figure,
  nobody,
  publicFigure,
  revision,
  start,
  workspaceId,
} from './test-service.js'

const invalid = (...fields: string[]) => ({
  code: Code.InvalidArgument,
  error: 'invalid_request',
  fields,
})
const refused = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const missing = { code: Code.NotFound, error: 'not_found', fields: [] }
const unknown = { code: Code.Unauthenticated, error: 'not_authenticated', fields: [] }

test('lists comments byte for byte as written, oldest first', async () => {
  await using at = await start('http2')
  const texts = [
    '  # spaces stay \r\n\r\n',
    '<script>alert(1)</script> [x](javascript:alert(1))',
    '\u202eturned\u202c 👩‍🚀 e\u0301 \u0001',
    "'; drop table comment; --",
  ]
  for (const content of texts) await at.write(content)
  const comments = await at.list()
  assert.deepEqual(
    comments.map(({ content }) => content),
    texts,
  )
  const [first] = comments
  assert.ok(first)
  assert.equal(first.author, 'ann')
  assert.equal(first.targetId, figure.targetId)
  assert.equal(first.targetType, NodeType.FIGURE)
  assert.deepEqual(first.createdOn, first.updatedOn)
  assert.ok(comments.every((one) => !one.isEdited && !one.isDeleted && !one.parentCommentId))
  assert.deepEqual(await at.list(revision), [])
})

test('only the author can edit and delete a comment', async () => {
  await using at = await start('http2')
  const { id } = await at.write('one')
  const { comment } = await at.client.updateComment({ id, content: 'two' }, ann)
  assert.ok(comment)
  assert.ok(comment.isEdited && comment.content === 'two')
  assert.notDeepEqual(comment.updatedOn, comment.createdOn)
  assert.deepEqual(await at.list(), [comment])
  assert.deepEqual(await failureOf(at.client.updateComment({ id, content: 'x' }, bob)), refused)
  assert.deepEqual(await failureOf(at.client.deleteComment({ id }, bob)), refused)
  assert.deepEqual(await at.list(), [comment])
  await at.client.deleteComment({ id }, ann)
  assert.deepEqual(await at.list(), [])
  for (const call of [
    at.client.updateComment({ id, content: 'x' }, ann),
    at.client.deleteComment({ id }, ann),
  ]) {
    assert.deepEqual(await failureOf(call), missing)
  }
})

test('viewers can read, signed-in viewers can write, and other callers are rejected', async () => {
  await using at = await start('http2')
  const { id } = await at.write()
  const { comment } = await at.client.createComment({ ...publicFigure, content: 'x' }, ann)
  const list = async (target: typeof figure, call: typeof ann) => {
    for await (const part of at.client.listComments(target, call)) return part.comments.length
    return 0
  }
  assert.equal(await list(figure, bob), 1)
  assert.equal(await list(publicFigure, nobody), 1)
  const { count } = await at.client.countComments(publicFigure, nobody)
  assert.equal(count, 1)
  const reactions = await at.client.listReactions({ commentId: comment?.id ?? '' }, nobody)
  assert.deepEqual(reactions.reactions, [])
  const write = { ...figure, content: 'x' }
  const emoji = '👍'
  for (const [call, refusal] of [[eve, refused] as const, [nobody, unknown] as const]) {
    assert.deepEqual(await failureOf(list(figure, call)), refusal)
    assert.deepEqual(await failureOf(at.client.countComments(figure, call)), refusal)
    assert.deepEqual(await failureOf(at.client.createComment(write, call)), refusal)
    assert.deepEqual(await failureOf(at.client.updateComment({ id, content: '' }, call)), refusal)
    assert.deepEqual(await failureOf(at.client.deleteComment({ id }, call)), refusal)
    assert.deepEqual(
      await failureOf(at.client.createReaction({ commentId: id, emoji }, call)),
      refusal,
    )
    assert.deepEqual(await failureOf(at.client.listReactions({ commentId: id }, call)), refusal)
    assert.deepEqual(
      await failureOf(at.client.createAiResponse({ parentCommentId: id }, call)),
      refusal,
    )
  }
  // An anonymous caller gets 401 for missing comments, too.
  for (const id of ['x', randomUUID()]) {
    assert.deepEqual(await failureOf(at.client.listReactions({ commentId: id }, nobody)), unknown)
    assert.deepEqual(await failureOf(at.client.listReactions({ commentId: id }, ann)), missing)
    assert.deepEqual(await failureOf(at.client.deleteComment({ id }, ann)), missing)
    assert.deepEqual(await failureOf(at.client.deleteReaction({ id }, ann)), missing)
  }
})

test('rejects invalid content and target types by field, and writes nothing', async () => {
  await using at = await start('local', { COMMENT_BYTES_MAX: '10' })
  const { id } = await at.write('there')
  for (const content of ['', ' \n\t', '12345678901', '€€€€', 'a\0']) {
    const create = at.client.createComment({ ...figure, content }, ann)
    assert.deepEqual(await failureOf(create), invalid('content'), JSON.stringify(content))
    const update = at.client.updateComment({ id, content }, ann)
    assert.deepEqual(await failureOf(update), invalid('content'), JSON.stringify(content))
  }
  await at.write('1234567890')
  const odd = { content: 'x', targetId: figure.targetId }
  for (const targetType of [NodeType.UNSPECIFIED, NodeType.WORKSPACE, NodeType.STORY, 99]) {
    const create = at.client.createComment({ ...odd, targetType }, ann)
    assert.deepEqual(await failureOf(create), invalid('target_type'))
  }
  const other = { ...odd, targetType: NodeType.ASSET }
  assert.deepEqual(await failureOf(at.client.createComment(other, ann)), missing)
  assert.deepEqual(
    (await at.list()).map(({ content }) => content),
    ['there', '1234567890'],
  )
  assert.equal((await at.published()).length, 2)
})

test('enforces the maximum number and size of the comments on an object', async () => {
  await using at = await start('local', { COMMENTS_MAX: '3', COMMENTS_BYTES_MAX: '10' })
  const first = await at.write('1234')
  await at.write('12345')
  assert.deepEqual(
    await failureOf(at.client.createComment({ ...figure, content: '12' }, ann)),
    invalid('target_id'),
  )
  assert.deepEqual(
    await failureOf(at.client.updateComment({ id: first.id, content: '123456' }, ann)),
    invalid('target_id'),
  )
  await at.write('1')
  assert.deepEqual(
    await failureOf(at.client.createComment({ ...figure, content: '1' }, ann)),
    invalid('target_id'),
  )
  // Changes that shrink a full target are allowed.
  await at.client.updateComment({ id: first.id, content: '1' }, ann)
  await at.client.deleteComment({ id: first.id }, ann)
  await at.write('1')
})

test('publishes an event for each change, in order', async () => {
  await using at = await start('local')
  const { id } = await at.write()
  await at.client.updateComment({ id, content: 'x' }, ann)
  const reply = { ...figure, content: 'y', parentCommentId: id }
  const call = actAs(userWithKey('bob', workspaceId))
  const { comment } = await at.client.createComment(reply, call)
  await at.client.deleteComment({ id }, ann)
  assert.deepEqual(await at.published(), [
    `ann CREATE ${id}`,
    `ann UPDATE ${id}`,
    `bob CREATE ${comment?.id}`,
    `ann DELETE ${id}`,
  ])
})

test('events name whom a comment newly mentions, and the author of the comment above a reply', async () => {
  await using at = await start('local')
  const { comment } = await at.client.createComment({ ...figure, content: '@bob @Carl' }, ann)
  const id = comment?.id ?? ''
  await at.client.updateComment({ id, content: '@bob @dora' }, ann)
  await at.client.createComment({ ...figure, content: '@ann', parentCommentId: id }, bob)
  const { rows } = await sql<{ payload: { mentioned?: string[]; parentAuthor?: string } }>`
    select message->'payload' as payload from (
      select message from outbox union all select message from outbox_sent
    ) m order by message->>'id'`.execute(at.ctx.db)
  assert.deepEqual(
    rows.map(({ payload: { mentioned = [], parentAuthor } }) => [mentioned.sort(), parentAuthor]),
    [
      [['bob', 'carl'], undefined],
      [['dora'], undefined],
      [['ann'], 'ann'],
    ],
  )
})

test('the system reads comments by their ids, except deleted ones', async () => {
  await using at = await start('local')
  const first = await at.write()
  const second = await at.write()
  await at.client.deleteComment({ id: second.id }, ann)
  const read = async (ids: string[], call = actAsSystem()) => {
    const found: (string | undefined)[] = []
    for await (const { comment } of at.client.readComments({ ids }, call)) found.push(comment?.id)
    return found
  }
  assert.deepEqual(await read([first.id, second.id, randomUUID()]), [first.id])
  await assert.rejects(read(['x']), { code: Code.InvalidArgument })
  await assert.rejects(read([first.id], ann), { code: Code.PermissionDenied })
})

test('a reply by AI is created once, is filled once, and is deleted by who asked for it', async () => {
  await using at = await start('local')
  const { id: parentCommentId } = await at.write()
  const id = randomUUID()
  const request = { parentCommentId, id }
  const { comment } = await at.client.createAiResponse(request, ann)
  assert.deepEqual([comment?.author, comment?.content], ['ai', ''])
  await at.client.createAiResponse(request, ann)
  assert.equal((await failureOf(at.client.createAiResponse(request, bob))).code, Code.AlreadyExists)
  await at.client.fillAiResponse({ id, content: 'Thanks, @bob', workspaceId }, ann)
  await at.client.fillAiResponse({ id, content: 'later', workspaceId }, ann)
  const contents = (await at.list()).map(({ content }) => content)
  assert.deepEqual(contents, ['Hello', 'Thanks, @bob'])
  assert.equal((await failureOf(at.client.deleteComment({ id }, bob))).code, Code.PermissionDenied)
  await at.client.deleteComment({ id }, ann)
  assert.equal((await at.list()).length, 1)
  const none = at.client.createAiResponse({ parentCommentId: randomUUID(), id }, ann)
  assert.deepEqual(await failureOf(none), missing)
})

test('lists the own comments of a user page by page, whether or not they may still view the target', async () => {
  await using at = await start('local')
  for (let n = 0; n < 5; n++) await at.write(`${n}`)
  await at.client.createComment({ ...figure, content: 'of bob' }, bob)
  const [first] = await at.list()
  assert.ok(first)
  await at.client.createComment({ ...figure, content: 'x', parentCommentId: first.id }, bob)
  await at.client.deleteComment({ id: first.id }, ann)
  const contents: string[] = []
  for (let pageToken = ''; ; ) {
    const page = await at.client.listOwnComments({ pageSize: 3, pageToken }, ann)
    contents.push(...page.comments.map(({ content }) => content))
    pageToken = page.nextPageToken
    if (!pageToken) break
  }
  assert.deepEqual(contents, ['1', '2', '3', '4'])
  const bound = actAs(userWithKey('ann', workspaceId))
  assert.deepEqual(await failureOf(at.client.listOwnComments({}, bound)), refused)
  assert.deepEqual(await failureOf(at.client.listOwnReactions({}, bound)), refused)
  const stranger = await at.client.listOwnComments({}, actAs(user('carl')))
  assert.deepEqual(stranger.comments, [])
  assert.deepEqual(
    await failureOf(at.client.listOwnComments({ pageToken: 'x' }, ann)),
    invalid('page_token'),
  )
})

test('lists 10,000 comments in order with one query and one call to catalog', async () => {
  await using at = await start('http2')
  const { id } = await at.write('first')
  await sql`
    insert into comment (id, target_id, parent_id, depth, author, content, created_on, updated_on)
    select gen_random_uuid(), ${figure.targetId}, ${id}, 2, 'bob', 'n' || n, now(), now()
      from generate_series(1, 9999) n`.execute(at.ctx.db)
  const [statements, checks] = [at.statements(), at.accessChecks.length]
  const parts: number[] = []
  const contents: string[] = []
  for await (const { comments } of at.client.listComments(figure, ann)) {
    parts.push(comments.length)
    contents.push(...comments.map(({ content }) => content))
  }
  assert.deepEqual(contents, ['first', ...Array.from({ length: 9999 }, (_, n) => `n${n + 1}`)])
  assert.equal(at.statements() - statements, 1)
  assert.equal(at.accessChecks.length - checks, 1)
  assert.ok(Math.max(...parts) <= 1000)
  const { count, total } = await at.client.countComments(figure, ann)
  // The counts do not include rows that the test inserted with SQL.
  assert.deepEqual([count, total], [1, 1])
  const first = []
  for await (const part of at.client.listComments({ ...figure, limit: 3 }, ann)) {
    first.push(...part.comments.map(({ content }) => content))
  }
  assert.deepEqual(first, ['first', 'n1', 'n2'])
})

test('one comment is read by its id, if it is on the target', async () => {
  await using at = await start('http2')
  const one = await at.write('one')
  await at.write('two')
  const read = async (commentId: string, target = figure) => {
    const all = []
    const request = { ...target, commentId }
    for await (const { comments } of at.client.listComments(request, ann)) all.push(...comments)
    return all.map(({ content }) => content)
  }
  const before = at.statements()
  assert.deepEqual(await read(one.id), ['one'])
  assert.equal(at.statements() - before, 1)
  assert.deepEqual(await read('x'), [])
  assert.deepEqual(await read(one.id, publicFigure), [])
  await at.client.deleteComment({ id: one.id }, ann)
  assert.deepEqual(await read(one.id), [])
})

test('splits long comments into parts below the message limit', async () => {
  await using at = await start('http2')
  for (let n = 0; n < 70; n++) await at.write('€'.repeat(21_000))
  assert.equal((await at.list()).length, 70)
  const own = await at.client.listOwnComments({}, ann)
  assert.equal(own.comments.length, 64)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { ann, bob, failureOf, start } from './test-service.js'

test('a user reacts once with each emoji, and can delete only their own reactions', async () => {
  await using at = await start('http2')
  const { id: commentId } = await at.write()
  const react = (emoji: string, call = ann) => at.client.createReaction({ commentId, emoji }, call)
  const { reaction: first, created } = await react('❤')
  assert.ok(first)
  assert.ok(created && first.emoji === '❤️' && first.username === 'ann')
  const again = await react('❤️')
  assert.deepEqual([again.created, again.reaction], [false, first])
  await react('❤️', bob)
  await react('👍🏽')
  const list = async () => {
    const { reactions } = await at.client.listReactions({ commentId }, bob)
    return reactions.map(({ username, emoji }) => `${username} ${emoji}`)
  }
  assert.deepEqual(await list(), ['ann ❤️', 'bob ❤️', 'ann 👍🏽'])
  const id = first.id
  assert.equal((await failureOf(at.client.deleteReaction({ id }, bob))).code, Code.PermissionDenied)
  await at.client.deleteReaction({ id }, ann)
  assert.equal((await failureOf(at.client.deleteReaction({ id }, ann))).code, Code.NotFound)
  assert.deepEqual(await list(), ['bob ❤️', 'ann 👍🏽'])
  const { reactions } = await at.client.listOwnReactions({}, ann)
  assert.deepEqual(
    reactions.map(({ emoji }) => emoji),
    ['👍🏽'],
  )
})

test('a page of comments has its reactions by emoji, with one more statement', async () => {
  await using at = await start('http2')
  const { id: first, targetId, targetType } = await at.write()
  const { id: second } = await at.write()
  const react = (commentId: string, emoji: string, call = ann) =>
    at.client.createReaction({ commentId, emoji }, call)
  await react(first, '👀', bob)
  await react(first, '👍', bob)
  const { reaction: own } = await react(first, '👍')
  for (let n = 0; n < 22; n++) await react(second, String.fromCodePoint(0x1f600 + n))
  const read = async (limit: number, withReactions = true) => {
    const request = { targetId, targetType, limit, withReactions }
    const all = []
    for await (const { reactions } of at.client.listComments(request, ann)) all.push(...reactions)
    return all
  }
  const before = at.statements()
  const reactions = await read(2)
  assert.equal(at.statements() - before, 2)
  const of = (id: string) => reactions.filter(({ commentId }) => commentId === id)
  assert.deepEqual(
    of(first).map(({ emoji, count, ownId, usernames }) => [emoji, count, ownId, usernames]),
    [
      ['👍', 2, own?.id, ['bob', 'ann']],
      ['👀', 1, '', ['bob']],
    ],
  )
  assert.equal(of(second).length, 20)
  assert.deepEqual(await read(2, false), [])
  assert.ok((await read(1)).every(({ commentId }) => commentId === first))
})

test('rejects text that is not one emoji, and more than the maximum number of reactions', async () => {
  await using at = await start('local', { REACTIONS_PER_COMMENT_MAX: '2' })
  const { id: commentId } = await at.write()
  for (const emoji of ['', 'a', '👍👍', ':+1:', '1']) {
    const failure = await failureOf(at.client.createReaction({ commentId, emoji }, ann))
    assert.deepEqual([failure.code, failure.fields], [Code.InvalidArgument, ['emoji']])
  }
  const react = (emoji: string) => at.client.createReaction({ commentId, emoji }, ann)
  // The limit holds for concurrent calls.
  const outcomes = await Promise.allSettled(['👍', '👎', '🎉', '👀'].map(react))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
  const { reactions } = await at.client.listReactions({ commentId }, ann)
  assert.equal(reactions.length, 2)
  const failure = await failureOf(react('🚀'))
  assert.deepEqual([failure.code, failure.fields], [Code.InvalidArgument, ['comment_id']])
  // An existing reaction can be repeated.
  const [first] = reactions
  assert.equal((await react(first?.emoji ?? '')).created, false)
})

test('concurrent identical reactions create one', async () => {
  await using at = await start('local')
  const { id: commentId } = await at.write()
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => at.client.createReaction({ commentId, emoji: '👍' }, ann)),
  )
  assert.equal(responses.filter(({ created }) => created).length, 1)
  assert.equal(new Set(responses.map(({ reaction }) => reaction?.id)).size, 1)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { unavailable } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { IdentityService } from '@figbase/proto/identity'
import { authorization, startEdge } from './start-edge.js'

const targetId = randomUUID()
const createdOn = { seconds: 1_790_000_000n }
const comment = (author: string, content = 'x') => ({
  id: randomUUID(),
  targetId,
  targetType: NodeType.FIGURE,
  author,
  content,
  createdOn,
  updatedOn: createdOn,
})
type Listed = { user: { username: string; avatar: string | null; date_joined: string | null } }[]

/**
 * Starts a gateway with comments in batches. All authors have an avatar of the given length; undefined: identity is
 * unavailable.
 */
function start(parts: string[][], pictureLength: number | undefined) {
  const asked: string[][] = []
  const starting = startEdge((router) => {
    router.service(CommentsService, {
      async *listComments() {
        for (const authors of parts) yield { comments: authors.map((author) => comment(author)) }
        if (parts.length === 0) throw unavailable('unavailable')
      },
    })
    router.service(IdentityService, {
      listUsers({ usernames }) {
        if (pictureLength === undefined) throw unavailable('unavailable')
        asked.push(usernames)
        const known = usernames.filter((username) => username !== 'unknown')
        const avatar = 'A'.repeat(pictureLength)
        return { users: known.map((username) => ({ username, avatar, dateJoined: createdOn })) }
      },
    })
  })
  return { asked, starting }
}

async function list({ url }: { url: string }) {
  const query = `target_type=figure&target_id=${targetId}`
  return fetch(`${url}/api/v1.4.1/comment/?${query}`, { headers: authorization() })
}

test('reads each author once, with one RPC per batch', async () => {
  const { asked, starting } = start([['ann', 'bob', 'ann'], ['ann'], ['bob', 'carl', 'unknown']], 4)
  await using edge = await starting
  const comments = (await (await list(edge)).json()) as Listed
  assert.deepEqual(
    comments.map(({ user }) => user.username),
    ['ann', 'bob', 'ann', 'ann', 'bob', 'carl', 'unknown'],
  )
  assert.deepEqual(asked, [
    ['ann', 'bob'],
    ['carl', 'unknown'],
  ])
  const { user: unknown } = comments[6] ?? {}
  assert.deepEqual([unknown?.avatar, unknown?.date_joined], [null, null])
})

test('limits the total size of avatars in a long list', async () => {
  const picture = 2 ** 20
  const { starting } = start([['ann', 'bob', 'ann'], Array<string>(3000).fill('ann')], picture)
  await using edge = await starting
  const answer = await list(edge)
  const text = await answer.text()
  assert.ok(text.length < 4 * picture + 3003 * 500, `${text.length}`)
  const pictures = (JSON.parse(text) as Listed).map(({ user }) => user.avatar !== null)
  assert.equal(pictures.filter(Boolean).length, 4)
  assert.deepEqual(pictures.slice(0, 5), [true, true, true, true, false])
})

test('returns authors with only their username while identity is unavailable', async () => {
  const { starting } = start([['ann', 'bob']], undefined)
  await using edge = await starting
  const comments = (await (await list(edge)).json()) as Listed
  assert.deepEqual(
    comments.map(({ user }) => [user.username, user.avatar, user.date_joined]),
    [
      ['ann', null, null],
      ['bob', null, null],
    ],
  )
})

test('sends an error, not an empty list, if comments cannot be read', async () => {
  const { starting } = start([], 0)
  await using edge = await starting
  assert.equal((await list(edge)).status, 503)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError, type HandlerContext } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { actAs, anonymous, user } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Principal } from '@figbase/proto/common'
import { authorizeComment, checkCommentAccess } from './access.js'
import type { Ctx } from './context.js'
import type { CommentRow } from './db/schema.js'

const id = '6e1b8a5e-2d6c-4b6e-9a53-0d3f4a2f1c11'
const figure = '0b1c2d3e-4f5a-4b6c-8d7e-8f9a0b1c2d3e'
const stored = { id, target_id: figure, target_type: 'figure', is_deleted: false }

/** A context with these rows; `requests` collects the calls to catalog. */
function contextWith(...rows: object[]) {
  const requests: unknown[] = []
  const catalog = {
    checkAccess: async (request: unknown) => {
      requests.push(request)
      return { workspaceId: 'workspace' }
    },
  }
  const db = { executeQuery: async () => ({ rows }) }
  return { ctx: { catalog, db } as unknown as Ctx, requests }
}

const callOf = (principal: Principal) => {
  const values = actAs(principal).contextValues
  const { signal } = new AbortController()
  return { values, signal, timeoutMs: () => undefined } as unknown as HandlerContext
}
const question = { id: figure, type: NodeType.FIGURE, permission: Permission.COMMENT }

test('asks catalog for the permission to comment', async () => {
  const { ctx, requests } = contextWith()
  const target = { id: figure, type: NodeType.FIGURE }
  assert.equal(await checkCommentAccess(ctx, target, callOf(user('ada'))), 'workspace')
  assert.deepEqual(requests, [question])
})

test('returns a comment to a caller who may comment on its target', async () => {
  const { ctx, requests } = contextWith(stored)
  const expected = { comment: stored as unknown as CommentRow, workspaceId: 'workspace' }
  assert.deepEqual(await authorizeComment(ctx, id, callOf(user('ada'))), expected)
  assert.deepEqual(requests, [question])
})

test('a missing or deleted comment is 404, and 401 for an anonymous caller', async () => {
  const cases: [id: string, rows: object[]][] = [
    [id, []],
    [id, [{ ...stored, is_deleted: true }]],
    ['one', [stored]],
  ]
  for (const [id, rows] of cases) {
    const { ctx, requests } = contextWith(...rows)
    await assert.rejects(authorizeComment(ctx, id, callOf(user('ada'))), {
      message: '[not_found] this comment does not exist',
    })
    await assert.rejects(authorizeComment(ctx, id, callOf(anonymous)), (error) => {
      assert.ok(error instanceof ConnectError)
      assert.equal(error.message, '[unauthenticated] sign in first')
      return detailOf(error)?.error === 'not_authenticated'
    })
    assert.deepEqual(requests, [])
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError, type HandlerContext } from '@connectrpc/connect'
import { actAs, anonymous, detailOf, user } from '@figbase/kit'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Principal } from '@figbase/proto/common'
import { openComment, requireComment } from './access.js'
import type { Ctx } from './context.js'
import type { CommentRow } from './db/schema.js'

const id = '6e1b8a5e-2d6c-4b6e-9a53-0d3f4a2f1c11'
const figure = '0b1c2d3e-4f5a-4b6c-8d7e-8f9a0b1c2d3e'
const stored = { id, target_id: figure, target_type: 'figure', is_deleted: false }

/** What catalog is asked, and the rows that are there. */
function contextWith(...rows: object[]) {
  const asked: unknown[] = []
  const catalog = {
    checkAccess: async (request: unknown) => {
      asked.push(request)
      return { workspaceId: 'workspace' }
    },
  }
  const db = { executeQuery: async () => ({ rows }) }
  return { ctx: { catalog, db } as unknown as Ctx, asked }
}

const callOf = (principal: Principal) => {
  const values = actAs(principal).contextValues
  const { signal } = new AbortController()
  return { values, signal, timeoutMs: () => undefined } as unknown as HandlerContext
}
const question = { id: figure, type: NodeType.FIGURE, permission: Permission.COMMENT }

test('whether somebody has a part in a discussion is what catalog says', async () => {
  const { ctx, asked } = contextWith()
  const target = { id: figure, type: NodeType.FIGURE }
  assert.equal(await requireComment(ctx, target, callOf(user('ada'))), 'workspace')
  assert.deepEqual(asked, [question])
})

test('a comment is opened to who has a part in its discussion', async () => {
  const { ctx, asked } = contextWith(stored)
  const opened = { comment: stored as unknown as CommentRow, workspaceId: 'workspace' }
  assert.deepEqual(await openComment(ctx, id, callOf(user('ada'))), opened)
  assert.deepEqual(asked, [question])
})

test('one that is not there or was deleted is not found, which an anonymous caller is not told', async () => {
  const cases: [id: string, rows: object[]][] = [
    [id, []],
    [id, [{ ...stored, is_deleted: true }]],
    ['one', [stored]],
  ]
  for (const [id, rows] of cases) {
    const { ctx, asked } = contextWith(...rows)
    await assert.rejects(openComment(ctx, id, callOf(user('ada'))), {
      message: '[not_found] this comment does not exist',
    })
    await assert.rejects(openComment(ctx, id, callOf(anonymous)), (error) => {
      assert.ok(error instanceof ConnectError)
      assert.equal(error.message, '[unauthenticated] sign in first')
      return detailOf(error)?.error === 'not_authenticated'
    })
    assert.deepEqual(asked, [])
  }
})

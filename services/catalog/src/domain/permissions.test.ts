import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@figbase/proto/catalog'
import type { NodeKind, Role } from '../db/schema.js'
import { allows } from './permissions.js'

const { VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE } = Permission

const table: [NodeKind, Role, Permission[]][] = [
  ['figure', 'viewer', [VIEW]],
  ['figure', 'creator', [VIEW, CREATE, UPDATE, DELETE, SHARE]],
  ['figure', 'admin', [VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE]],
  ['figure', 'owner', [VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE]],
  ['workspace', 'viewer', [VIEW]],
  ['workspace', 'creator', [VIEW, CREATE, SHARE]],
  ['workspace', 'admin', [VIEW, CREATE, UPDATE, SHARE, MANAGE]],
  ['workspace', 'owner', [VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE]],
]

for (const [kind, role, granted] of table) {
  test(`a ${role} on a ${kind} has ${granted.map((one) => Permission[one]).join(', ')}`, () => {
    const all = [VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE]
    assert.deepEqual(
      all.filter((permission) => allows(role, permission, kind)),
      granted,
    )
  })
}

test('without a role, or without a named permission, nothing is allowed', () => {
  assert.equal(allows(null, VIEW, 'figure'), false)
  assert.equal(allows('owner', Permission.UNSPECIFIED, 'figure'), false)
  assert.equal(allows('owner', 99 as Permission, 'figure'), false)
})

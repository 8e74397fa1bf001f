import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from './access.js'
import type { NodeKind, Role } from './db/schema.js'
import { userNamed } from './domain/subject.js'

const ada = userNamed('ada')
const nobody = userNamed('')
const node = (type: NodeKind, ...roles: Role[]) => ({ type, roles })

test('who has the permission gets the object', () => {
  const figure = node('figure', 'viewer')
  assert.equal(authorize(figure, Permission.VIEW, ada), figure)
  assert.equal(authorize(figure, Permission.VIEW, ada, 'figure'), figure)
  assert.equal(authorize(figure, Permission.VIEW, nobody), figure)
})

test('who lacks it is refused by its name', () => {
  const message = '[permission_denied] you do not have the permission UPDATE here'
  assert.throws(() => authorize(node('figure', 'viewer'), Permission.UPDATE, ada), { message })
  assert.throws(() => authorize(node('workspace', 'creator'), Permission.UPDATE, ada), { message })
  assert.throws(() => authorize(node('figure'), Permission.UPDATE, ada, 'figure'), { message })
})

test('what is not there, or of another kind, is not found, whatever the roles', () => {
  const figure = node('figure', 'owner')
  assert.throws(() => authorize(undefined, Permission.VIEW, ada, 'asset'), {
    message: '[not_found] this asset does not exist',
  })
  assert.throws(() => authorize(undefined, Permission.VIEW, ada), {
    message: '[not_found] this object does not exist',
  })
  assert.throws(() => authorize(figure, Permission.VIEW, ada, 'asset'), {
    message: '[not_found] this asset does not exist',
  })
})

test('who is anonymous is not told what there is', () => {
  const message = '[unauthenticated] sign in first'
  for (const found of [undefined, node('figure'), node('asset', 'viewer')]) {
    assert.throws(() => authorize(found, Permission.VIEW, nobody, 'figure'), { message })
  }
})

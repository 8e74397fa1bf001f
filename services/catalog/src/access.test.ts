import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { Permission } from '@figbase/proto/catalog'
import { ApiKeyAccess, UsedApiKeySchema } from '@figbase/proto/common'
import { authorize, authorizeDeletions, permissionToComment } from './access.js'
import type { Config } from './config.js'
import type { NodeKind, Role } from './db/schema.js'
import { subjectFor } from './domain/subject.js'

const ada = subjectFor('ada')
const nobody = subjectFor('')
const node = (type: NodeKind, ...roles: Role[]) => ({ type, roles })

test('returns the object to a caller with the permission', () => {
  const figure = node('figure', 'viewer')
  assert.equal(authorize(figure, Permission.VIEW, ada), figure)
  assert.equal(authorize(figure, Permission.VIEW, ada, 'figure'), figure)
  assert.equal(authorize(figure, Permission.VIEW, nobody), figure)
})

test('rejects a caller without the permission, and names the permission', () => {
  const message = '[permission_denied] you do not have the permission UPDATE here'
  assert.throws(() => authorize(node('figure', 'viewer'), Permission.UPDATE, ada), { message })
  assert.throws(() => authorize(node('workspace', 'creator'), Permission.UPDATE, ada), { message })
  assert.throws(() => authorize(node('figure'), Permission.UPDATE, ada, 'figure'), { message })
})

test('a missing object, or one of another kind, is 404, whatever the roles', () => {
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

test('an anonymous caller gets 401, whether or not the object exists', () => {
  const message = '[unauthenticated] sign in first'
  for (const found of [undefined, node('figure'), node('asset', 'viewer')]) {
    assert.throws(
      () => authorize(found, Permission.VIEW, nobody, 'figure'),
      (error) => {
        assert.ok(error instanceof ConnectError)
        assert.equal(error.message, message)
        return detailOf(error)?.error === 'not_authenticated'
      },
    )
  }
})

test('an API key limits the permissions of its user', () => {
  const figure = node('figure', 'owner')
  const withKey = (access: ApiKeyAccess) => ({
    ...ada,
    apiKey: create(UsedApiKeySchema, { access }),
  })
  assert.equal(authorize(figure, Permission.VIEW, withKey(ApiKeyAccess.READ)), figure)
  assert.equal(authorize(figure, Permission.UPDATE, withKey(ApiKeyAccess.PUBLISH)), figure)
  assert.equal(authorize(figure, Permission.DELETE, withKey(ApiKeyAccess.FULL)), figure)
  const refused = { message: /^\[permission_denied\] this API key may only read/ }
  assert.throws(() => authorize(figure, Permission.UPDATE, withKey(ApiKeyAccess.READ)), refused)
  assert.throws(() => authorize(figure, Permission.DELETE, withKey(ApiKeyAccess.PUBLISH)), refused)
})

test('listing deletions takes DELETE on the content', () => {
  const cases: [kind: 'workspace' | 'organization', seen: Role[], refused: Role[]][] = [
    ['workspace', ['owner', 'admin', 'creator'], ['viewer']],
    ['organization', ['org_admin'], ['workspace_admin', 'workspace_creator', 'workspace_viewer']],
  ]
  const message = '[permission_denied] you do not have the permission DELETE here'
  for (const [kind, seen, refused] of cases) {
    for (const role of seen) authorizeDeletions(node(kind, role), ada, kind)
    for (const role of refused) {
      assert.throws(() => authorizeDeletions(node(kind, role), ada, kind), { message }, role)
    }
  }
  assert.throws(() => authorizeDeletions(node('organization', 'org_admin'), ada, 'workspace'), {
    message: '[not_found] this workspace does not exist',
  })
})

test('a link grants access to comments if the setting allows it', () => {
  const permission = (linkSharingShowsComments: boolean) =>
    permissionToComment({ linkSharingShowsComments } as Config)
  assert.deepEqual([permission(true), permission(false)], [Permission.VIEW, Permission.COMMENT])
})

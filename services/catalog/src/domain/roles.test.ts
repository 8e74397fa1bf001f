import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role } from '@figbase/proto/catalog'
import type { NodeKind } from '../db/schema.js'
import { roleToGrant, toRole } from './roles.js'

const granted = {
  workspace: [
    [Role.ADMIN, 'admin'],
    [Role.CREATOR, 'creator'],
    [Role.VIEWER, 'viewer'],
  ],
  organization: [
    [Role.ORG_ADMIN, 'org_admin'],
    [Role.WORKSPACE_ADMIN, 'workspace_admin'],
    [Role.WORKSPACE_CREATOR, 'workspace_creator'],
    [Role.WORKSPACE_VIEWER, 'workspace_viewer'],
  ],
} as const

test('maps the roles of each kind of container to the wire and back', () => {
  for (const kind of ['workspace', 'organization'] as const) {
    for (const [message, word] of granted[kind]) {
      assert.equal(roleToGrant(kind, message), word)
      assert.equal(toRole(word), message)
    }
  }
  assert.equal(toRole('owner'), Role.OWNER)
})

test('rejects the role owner, roles of the other kind of container, and missing roles', () => {
  const refusals: [NodeKind, readonly (Role | undefined)[], RegExp][] = [
    [
      'workspace',
      [
        Role.OWNER,
        Role.UNSPECIFIED,
        undefined,
        99 as Role,
        ...granted.organization.map(([role]) => role),
      ],
      /^\[invalid_argument\] membership_type: must be one of admin, creator, viewer$/,
    ],
    [
      'organization',
      [
        Role.OWNER,
        Role.UNSPECIFIED,
        undefined,
        99 as Role,
        ...granted.workspace.map(([role]) => role),
      ],
      /membership_type: must be one of org_admin, workspace_admin, workspace_creator, workspace_viewer$/,
    ],
    ['figure', [Role.VIEWER, Role.OWNER, undefined], /membership_type: must be one of $/],
  ]
  for (const [kind, roles, problem] of refusals) {
    for (const role of roles) assert.throws(() => roleToGrant(kind, role), { message: problem })
  }
})

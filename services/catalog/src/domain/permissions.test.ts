import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Permission } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { EffectiveRole, NodeKind } from '../db/schema.js'
import { accessFor, allows, permissions } from './permissions.js'

const { VIEW, CREATE, UPDATE, DELETE, SHARE, MANAGE, COMMENT } = Permission
const all = [VIEW, COMMENT, CREATE, UPDATE, DELETE, SHARE, MANAGE]

const table: [NodeKind, EffectiveRole, Permission[]][] = [
  ['figure', 'viewer', [VIEW, COMMENT]],
  ['figure', 'link_viewer', [VIEW]],
  ['workspace', 'link_viewer', []],
  ['organization', 'link_viewer', []],
  ['figure', 'creator', [VIEW, COMMENT, CREATE, UPDATE, DELETE, SHARE]],
  ['figure', 'admin', all],
  ['figure', 'owner', all],
  ['workspace', 'viewer', [VIEW, COMMENT]],
  ['workspace', 'creator', [VIEW, COMMENT, CREATE, SHARE]],
  ['workspace', 'admin', [VIEW, COMMENT, CREATE, UPDATE, SHARE, MANAGE]],
  ['workspace', 'owner', all],
  ['organization', 'org_admin', all],
  ['organization', 'workspace_admin', [VIEW, COMMENT, CREATE]],
  ['organization', 'workspace_creator', [VIEW, COMMENT, CREATE]],
  ['organization', 'workspace_viewer', [VIEW, COMMENT]],
  ['organization', 'owner', []],
]

for (const [kind, role, granted] of table) {
  test(`${role} on ${kind}: ${granted.map((one) => Permission[one]).join(', ') || 'nothing'}`, () => {
    assert.deepEqual(grantedTo(role, kind), granted)
  })
}

test('each organization role has the same permissions in workspaces as a workspace role', () => {
  const pairs = [
    ['org_admin', 'owner'],
    ['workspace_admin', 'admin'],
    ['workspace_creator', 'creator'],
    ['workspace_viewer', 'viewer'],
  ] as const
  for (const [role, same] of pairs) {
    for (const kind of ['workspace', 'analysis', 'figure', 'figure_revision', 'asset'] as const) {
      assert.deepEqual(grantedTo(role, kind), grantedTo(same, kind), `${role} on ${kind}`)
    }
  }
})

test('permissions of several roles add up, in any order', () => {
  assert.ok(allows(['viewer', 'admin'], MANAGE, 'figure'))
  assert.ok(allows(['admin', 'viewer'], MANAGE, 'figure'))
  assert.ok(!allows(['viewer', 'creator'], MANAGE, 'figure'))
})

test('allows nothing without a role or a known permission', () => {
  assert.equal(allows([], VIEW, 'figure'), false)
  assert.equal(allows(['owner'], Permission.UNSPECIFIED, 'figure'), false)
  assert.equal(allows(['owner'], 99 as Permission, 'figure'), false)
})

test('maps each permission to the required API key access', () => {
  const { READ, PUBLISH, FULL } = ApiKeyAccess
  const needed: [Permission, ApiKeyAccess][] = [
    [VIEW, READ],
    [COMMENT, READ],
    [CREATE, PUBLISH],
    [UPDATE, PUBLISH],
    [DELETE, FULL],
    [SHARE, READ],
    [MANAGE, READ],
  ]
  for (const [permission, access] of needed) {
    assert.equal(accessFor(permission), access, Permission[permission])
  }
})

test('the README contains the permissions table', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  assert.ok(readme.includes(printed()), `services/catalog/README.md needs\n\n${printed()}\n`)
})

function grantedTo(role: EffectiveRole, kind: NodeKind) {
  return all.filter((permission) => allows([role], permission, kind))
}

function printed() {
  const places = ['organization', 'workspace', 'content'] as const
  const rows = Object.entries(permissions).map(([role, at]) => {
    const cells = places.map((place) => (at[place] ?? []).map((one) => Permission[one]).join(', '))
    return `| \`${role}\` | ${cells.map((cell) => cell || 'nothing').join(' | ')} |`
  })
  const head = '| role | on the organization | on the workspace | on what is in it |'
  return [head, '|---|---|---|---|', ...rows].join('\n')
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { actAs, anonymous, system, user } from '@figbase/kit/rpc'
import { type Principal, PrincipalSchema } from '@figbase/proto/common'
import { attributionOf } from './attribution.js'
import { subjectOf } from './subject.js'

const withKey = (workspaceId: string) =>
  create(PrincipalSchema, { username: 'ada', apiKey: { id: 'key', workspaceId } })

const callOf = (principal: Principal) =>
  ({ values: actAs(principal, 'request').contextValues }) as HandlerContext

test('attributes actions to the caller, or to the user on whose behalf the system acts', () => {
  const by = { actor: 'ada', actorKind: 'user', requestId: 'request', isSilent: false }
  assert.deepEqual(attributionOf(callOf(user('ada')), false), by)
  assert.deepEqual(attributionOf(callOf(user('ada')), true), { ...by, isSilent: true })
  assert.deepEqual(attributionOf(callOf(withKey('')), false), { ...by, actorKind: 'api_key' })
  assert.deepEqual(attributionOf(callOf(system), false, 'ada'), { ...by, actorKind: 'system' })
  assert.deepEqual(attributionOf(callOf(system), false), { ...by, actor: '', actorKind: 'system' })
})

test('the subject is the caller, bound to the workspace of the API key', () => {
  const without = { onlyWorkspaceId: null, apiKey: undefined }
  assert.deepEqual(subjectOf(callOf(user('ada'))), { username: 'ada', ...without })
  assert.deepEqual(subjectOf(callOf(anonymous)), { username: '', ...without })
  for (const workspaceId of ['', 'one']) {
    const { apiKey } = withKey(workspaceId)
    const subject = { username: 'ada', onlyWorkspaceId: workspaceId || null, apiKey }
    assert.deepEqual(subjectOf(callOf(withKey(workspaceId))), subject)
  }
})

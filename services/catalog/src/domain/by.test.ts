import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { actAs, anonymous, system, user } from '@figbase/kit'
import { type Principal, PrincipalSchema } from '@figbase/proto/common'
import { byOf } from './by.js'
import { subjectOf } from './subject.js'

const withKey = (workspaceId: string) =>
  create(PrincipalSchema, { username: 'ada', apiKey: { id: 'key', workspaceId } })

const callOf = (principal: Principal) =>
  ({ values: actAs(principal, 'request').contextValues }) as HandlerContext

test('what is done is done by the caller, or by whom the system acts for', () => {
  const by = { actor: 'ada', actorKind: 'user', requestId: 'request', isSilent: false }
  assert.deepEqual(byOf(callOf(user('ada')), false), by)
  assert.deepEqual(byOf(callOf(user('ada')), true), { ...by, isSilent: true })
  assert.deepEqual(byOf(callOf(withKey('')), false), { ...by, actorKind: 'api_key' })
  assert.deepEqual(byOf(callOf(system), false, 'ada'), { ...by, actorKind: 'system' })
  assert.deepEqual(byOf(callOf(system), false), { ...by, actor: '', actorKind: 'system' })
})

test('roles count of the caller, and with an API key for a workspace in that one alone', () => {
  const without = { onlyIn: null, apiKey: undefined }
  assert.deepEqual(subjectOf(callOf(user('ada'))), { username: 'ada', ...without })
  assert.deepEqual(subjectOf(callOf(anonymous)), { username: '', ...without })
  for (const workspaceId of ['', 'one']) {
    const { apiKey } = withKey(workspaceId)
    const subject = { username: 'ada', onlyIn: workspaceId || null, apiKey }
    assert.deepEqual(subjectOf(callOf(withKey(workspaceId))), subject)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, user } from '@figbase/kit/rpc'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import { deleteOldStaffActions } from '../src/queries/staff-actions.js'
import { ann, as, asAnonymous, failureOf, start } from './support/started.js'

const root = actAs(user('root', true))

async function startWithStaff() {
  const at = await start('local')
  await at.client.createUser(ann, asAnonymous())
  await at.client.createUser({ ...ann, username: 'root', email: 'root@example.org' }, asAnonymous())
  await at.db
    .updateTable('account')
    .set({ is_staff: true })
    .where('username', '=', 'root')
    .execute()
  const { staff } = at
  const listed = async () => {
    const { actions } = await staff.listStaffActions({}, root)
    return actions.map(({ kind, target, createdBy }) => [StaffActionKind[kind], target, createdBy])
  }
  return Object.assign(at, { listed })
}

test('what staff do to accounts and settings is recorded, newest first', async () => {
  await using at = await startWithStaff()
  await at.accounts.setUserActive({ username: 'ann', isActive: false }, root)
  await at.accounts.setUserActive({ username: 'ann', isActive: false }, root)
  await at.accounts.setUserActive({ username: 'ann', isActive: true }, root)
  await at.accounts.setUserStaff({ username: 'ann', isStaff: true }, root)
  await at.accounts.setUserStaff({ username: 'ann', isStaff: false }, root)
  const { site } = at
  assert.equal((await site.getSettings({}, root)).mayUpdate, true)
  assert.equal((await site.getSettings({}, as('ann'))).mayUpdate, false)
  await site.updateSettings({ siteName: 'Lab 9', announcement: '', signUpEnabled: false }, root)
  await at.accounts.endSessions({ username: 'ann' }, root)
  await at.accounts.endSessions({ username: 'ann' }, as('ann'))
  await at.accounts.deleteUser({ username: 'ann' }, root)
  assert.deepEqual(await at.listed(), [
    ['DELETE_ACCOUNT', 'ann', 'root'],
    ['END_SESSIONS', 'ann', 'root'],
    ['CHANGE_SETTINGS', 'site_name, sign_up_enabled', 'root'],
    ['REMOVE_STAFF', 'ann', 'root'],
    ['MAKE_STAFF', 'ann', 'root'],
    ['ACTIVATE_ACCOUNT', 'ann', 'root'],
    ['DEACTIVATE_ACCOUNT', 'ann', 'root'],
  ])
})

test('a change that fails is not recorded', async () => {
  await using at = await startWithStaff()
  const { code } = await failureOf(
    at.accounts.setUserActive({ username: 'root', isActive: false }, root),
  )
  assert.equal(code, Code.FailedPrecondition)
  const none = { username: 'ann', id: crypto.randomUUID() }
  assert.equal((await failureOf(at.accounts.endSessions(none, root))).code, Code.NotFound)
  assert.deepEqual(await at.listed(), [])
})

test('other services record; the list has pages, and is for staff; what is old is deleted', async () => {
  await using at = await startWithStaff()
  const kind = StaffActionKind.CREATE_PLAN
  for (const target of ['A', 'B', 'C']) await at.staff.recordStaffAction({ kind, target }, root)
  const seen: string[] = []
  let pageToken = ''
  do {
    const page = await at.staff.listStaffActions({ pageSize: 2, pageToken }, root)
    seen.push(...page.actions.map(({ target }) => target))
    pageToken = page.nextPageToken
  } while (pageToken)
  assert.deepEqual(seen, ['C', 'B', 'A'])
  for (const call of [
    at.staff.listStaffActions({}, as('ann')),
    at.staff.listBackups({}, as('ann')),
    at.staff.recordStaffAction({ kind, target: 'D' }, as('ann')),
  ]) {
    assert.equal((await failureOf(call)).code, Code.PermissionDenied)
  }
  const unknown = at.staff.recordStaffAction({ kind: 99 as StaffActionKind, target: 'D' }, root)
  assert.deepEqual((await failureOf(unknown)).fields, ['kind'])
  const wrong = at.staff.listStaffActions({ pageToken: 'x' }, root)
  assert.deepEqual((await failureOf(wrong)).fields, ['page_token'])
  assert.deepEqual((await at.staff.listBackups({}, root)).backups, [])
  await deleteOldStaffActions(at.db, 60_000)
  assert.equal((await at.listed()).length, 3)
  await deleteOldStaffActions(at.db, 0)
  assert.deepEqual(await at.listed(), [])
})

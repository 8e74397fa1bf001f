import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Node, Role } from '@figbase/proto/catalog'
import {
  ada,
  assertError,
  bob,
  createTree,
  denied,
  eve,
  grant,
  startTestCatalog,
  type TestCatalog,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  const env = {
    INVITATIONS_PER_HOUR_MAX: '4',
    INVITATIONS_PER_HOUR_AND_ADDRESS_MAX: '2',
    FAILED_PROMOTIONS_PER_MINUTE_MAX: '3',
  }
  catalog = await startTestCatalog({ env })
})
after(() => catalog[Symbol.asyncDispose]())

const tooManyMails = { code: 'ResourceExhausted', error: 'too_many_mails' } as const
const tooManyFailures = { code: 'ResourceExhausted', error: 'too_many_failures' } as const
const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const

const invite = ({ id: targetId, type }: Node, email: string, as = ada) =>
  catalog.client.createInvitation({ targetId, type, email, role: Role.VIEWER }, as)

test('limits invitation mails per address and per user', async () => {
  const { workspace } = await createTree(catalog)
  await grant(catalog, 'bob', workspace, 'admin')
  // Rejected invitations do not count.
  for (let n = 0; n < 3; n++) await assertError(invite(workspace, 'gus@example.org', eve), denied)
  await invite(workspace, 'gus@example.org')
  await invite(workspace, 'GUS@Example.org', bob)
  await assertError(invite(workspace, 'gus@example.org'), tooManyMails)
  await assertError(invite(workspace, 'gus@example.org', bob), tooManyMails)
  for (const name of ['one', 'two', 'three']) await invite(workspace, `${name}@example.org`)
  await assertError(invite(workspace, 'four@example.org'), tooManyMails)
  await invite(workspace, 'four@example.org', bob)
  const { invitations } = await catalog.client.listInvitations(
    { targetId: workspace.id, type: WORKSPACE, pageSize: 100 },
    ada,
  )
  assert.equal(invitations.length, 6)
})

test('too many unknown promotion codes block all codes of that user only', async () => {
  const { workspace } = await createTree(catalog)
  await grant(catalog, 'bob', workspace, 'owner')
  const apply = (code: string, as = ada) =>
    catalog.plans.applyPromotion({ nodeId: workspace.id, type: WORKSPACE, code }, as)
  for (let n = 0; n < 3; n++) await assertError(apply('GUESS'), invalid('promotion_code'))
  await assertError(apply('GUESS'), tooManyFailures)
  await assertError(apply('GUESS', bob), invalid('promotion_code'))
})

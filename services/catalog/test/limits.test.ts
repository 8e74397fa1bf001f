import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Node, Role } from '@figbase/proto/catalog'
import {
  ada,
  type Bench,
  bob,
  denied,
  eve,
  grant,
  makeTree,
  refused,
  startBench,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  const env = {
    INVITATIONS_PER_HOUR_MAX: '4',
    INVITATIONS_PER_HOUR_AND_ADDRESS_MAX: '2',
    FAILED_PROMOTIONS_PER_MINUTE_MAX: '3',
  }
  bench = await startBench({ env })
})
after(() => bench[Symbol.asyncDispose]())

const tooManyMails = { code: 'ResourceExhausted', error: 'too_many_mails' } as const
const tooManyFailures = { code: 'ResourceExhausted', error: 'too_many_failures' } as const
const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const

const invite = ({ id: targetId, type }: Node, email: string, as = ada) =>
  bench.client.createInvitation({ targetId, type, email, role: Role.VIEWER }, as)

test('so many invitations are mailed to one address, by whomever, and so many for one user', async () => {
  const { workspace } = await makeTree(bench)
  await grant(bench, 'bob', workspace, 'admin')
  // Who may not invite uses nothing up.
  for (let n = 0; n < 3; n++) await refused(invite(workspace, 'gus@example.org', eve), denied)
  await invite(workspace, 'gus@example.org')
  await invite(workspace, 'GUS@Example.org', bob)
  await refused(invite(workspace, 'gus@example.org'), tooManyMails)
  await refused(invite(workspace, 'gus@example.org', bob), tooManyMails)
  for (const name of ['one', 'two', 'three']) await invite(workspace, `${name}@example.org`)
  await refused(invite(workspace, 'four@example.org'), tooManyMails)
  await invite(workspace, 'four@example.org', bob)
  const { invitations } = await bench.client.listInvitations(
    { targetId: workspace.id, type: WORKSPACE, pageSize: 100 },
    ada,
  )
  assert.equal(invitations.length, 6)
})

test('who guesses promotion codes is refused, with good ones too, and nobody else is', async () => {
  const { workspace } = await makeTree(bench)
  await grant(bench, 'bob', workspace, 'owner')
  const apply = (code: string, as = ada) =>
    bench.plans.applyPromotion({ nodeId: workspace.id, type: WORKSPACE, code }, as)
  for (let n = 0; n < 3; n++) await refused(apply('GUESS'), invalid('promotion_code'))
  await refused(apply('GUESS'), tooManyFailures)
  await refused(apply('GUESS', bob), invalid('promotion_code'))
})

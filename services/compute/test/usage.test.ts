import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit/rpc'
import { lastPeriods, parsePeriod } from '@figbase/kit/text'
import { Lifecycle } from '@figbase/proto/compute'
import { stopUnentitled } from '../src/periodic/stop-unentitled.js'
import { Machines } from './memory-driver.js'
import { ann, bob, eve, failureOf, start, vera } from './test-service.js'

const november = Date.parse('2026-11-30T23:59:50Z')

/** A service whose machines have a clock of their own. */
async function startAt(time: number, env: Record<string, string> = {}) {
  const clock = { now: time }
  const machines = new Machines({ now: () => clock.now })
  const at = await start({ machines, env })
  return Object.assign(at, { clock })
}

test('a run that crosses the end of a month counts in both, by tier', async () => {
  await using at = await startAt(november)
  const { id } = await at.launch(bob)
  await at.settle()
  at.clock.now += 25_999
  await at.compute.stopInstance({ id }, bob)
  await at.settle()
  await at.compute.changeTier({ id, tier: 'large' }, bob)
  await at.compute.startInstance({ id }, bob)
  await at.settle()
  at.clock.now += 4000
  // Still running: what was seen last.
  await at.round()
  const usage = async (period: string) =>
    at.compute.getUsage({ of: { case: 'instanceId', value: id }, period }, vera)
  assert.equal((await usage('2026-11')).billableSeconds, 10n)
  const december = await usage('2026-12')
  assert.equal(december.billableSeconds, 19n)
  assert.deepEqual(
    december.tiers.map(({ tier, billableSeconds }) => [tier, billableSeconds]),
    [
      ['large', 4n],
      ['small', 15n],
    ],
  )
  assert.equal((await usage('2026-10')).billableSeconds, 0n)
})

test('each of the last 12 months has its seconds, also if a run crosses the end of a month', async () => {
  const periods = lastPeriods(12)
  const { from } = parsePeriod(periods.at(-1) ?? '')
  await using at = await startAt(Date.parse(from) - 10_000)
  const { id } = await at.launch(ann)
  await at.settle()
  at.clock.now += 25_000
  await at.compute.stopInstance({ id }, ann)
  await at.settle()
  const none = Array.from({ length: 10 }, () => 0n)
  const { workspaceId, organizationId } = at.peers
  for (const of of [
    { case: 'instanceId' as const, value: id },
    { case: 'workspaceId' as const, value: workspaceId },
    { case: 'organizationId' as const, value: organizationId },
  ]) {
    const { months } = await at.compute.listMonthlySeconds({ of }, ann)
    assert.deepEqual(
      months.map(({ period }) => period),
      periods,
    )
    assert.deepEqual(
      months.map(({ billableSeconds }) => billableSeconds),
      [...none, 10n, 15n],
    )
  }
  const own = await at.compute.listOwnMonthlySeconds({}, ann)
  assert.deepEqual(
    own.months.map(({ billableSeconds }) => billableSeconds),
    [...none, 10n, 15n],
  )
  const others = await at.compute.listOwnMonthlySeconds({}, bob)
  assert.ok(others.months.every(({ billableSeconds }) => billableSeconds === 0n))
  const of = { case: 'organizationId' as const, value: organizationId }
  const refused = await failureOf(at.compute.listMonthlySeconds({ of }, bob))
  assert.equal(refused.code, Code.PermissionDenied)
})

test('services read the seconds of many holders in a month', async () => {
  const periods = lastPeriods(2)
  const { from } = parsePeriod(periods[1] ?? '')
  await using at = await startAt(Date.parse(from) - 10_000)
  const { id } = await at.launch(ann)
  await at.settle()
  at.clock.now += 25_000
  await at.compute.stopInstance({ id }, ann)
  await at.settle()
  const { organizationId, workspaceId } = at.peers
  const holderIds = [organizationId, workspaceId, randomUUID()]
  const secondsOf = async (period = '') => {
    const { items } = await at.compute.listHolderSeconds({ holderIds, period }, actAsSystem())
    return items.map((item) => [item.holderId, item.billableSeconds])
  }
  assert.deepEqual(await secondsOf(periods[0]), [[organizationId, 10n]])
  assert.deepEqual(await secondsOf(periods[1]), [[organizationId, 15n]])
  const refused = await failureOf(at.compute.listHolderSeconds({ holderIds }, ann))
  assert.equal(refused.code, Code.PermissionDenied)
  for (const request of [
    { holderIds: ['x'] },
    { holderIds: Array.from({ length: 1001 }, () => workspaceId) },
    { holderIds, period: '2026' },
  ]) {
    const { code } = await failureOf(at.compute.listHolderSeconds(request, actAsSystem()))
    assert.equal(code, Code.InvalidArgument)
  }
})

test('usage of a workspace and of an organization lists instances in pages', async () => {
  await using at = await startAt(Date.now())
  const ids = [(await at.launch(ann)).id, (await at.launch(bob)).id].sort()
  await at.settle()
  at.clock.now += 3000
  for (const id of ids) await at.compute.terminateInstance({ id }, ann)
  await at.settle()
  const { workspaceId, organizationId } = at.peers
  const containers = [
    { case: 'workspaceId' as const, value: workspaceId },
    { case: 'organizationId' as const, value: organizationId },
  ]
  for (const of of containers) {
    const first = await at.compute.getUsage({ of, pageSize: 1 }, ann)
    const { nextPageToken: pageToken } = first
    const rest = await at.compute.getUsage({ of, pageSize: 1, pageToken }, ann)
    const listed = [...first.instances, ...rest.instances]
    assert.deepEqual(
      listed.map(({ instanceId, billableSeconds }) => [instanceId, billableSeconds]),
      ids.map((id) => [id, 3n]),
    )
    assert.equal(first.billableSeconds, 6n)
    assert.equal(rest.nextPageToken, '')
  }
  const [, organization] = containers
  const refused = await failureOf(at.compute.getUsage({ of: organization }, bob))
  assert.equal(refused.code, Code.PermissionDenied)
  const [workspace] = containers
  assert.equal(
    (await failureOf(at.compute.getUsage({ of: workspace }, eve))).code,
    Code.PermissionDenied,
  )
  const wrong = at.compute.getUsage({ of: workspace, period: '2026-1' }, ann)
  assert.deepEqual((await failureOf(wrong)).fields, ['period'])
})

test('instances are stopped with notice when the allowance is exhausted', async () => {
  await using at = await startAt(Date.now(), { COMPUTE_ALLOWANCE_GRACE: '0s' })
  at.peers.terms.monthlyComputeSeconds = 5n
  const { id } = await at.launch()
  await at.settle()
  const check = () => stopUnentitled.run(at.ctx, new AbortController().signal)
  const lifecycle = async () => (await at.compute.getInstance({ id }, ann)).instance?.lifecycle
  await check()
  at.clock.now += 5000
  await at.round()
  await check()
  assert.equal(await lifecycle(), Lifecycle.RUNNING)
  const { instance } = await at.compute.getInstance({ id }, ann)
  assert.match(instance?.statusDetail ?? '', /^The plan has no time left in this month/)
  at.peers.overages = true
  await check()
  assert.equal((await at.compute.getInstance({ id }, ann)).instance?.statusDetail, '')
  at.peers.overages = false
  await check()
  await check()
  await at.settle()
  assert.equal(await lifecycle(), Lifecycle.STOPPED)
  const { events } = await at.compute.listInstanceEvents({ id }, ann)
  const notices = ['allowance_exhausted', 'allowance_restored', 'allowance_exhausted', 'stop']
  assert.deepEqual(
    events
      .map(({ kind }) => kind)
      .filter((kind) => notices.includes(kind))
      .reverse(),
    notices,
  )
})

test('the instances of a user who left the workspace are stopped', async () => {
  await using at = await startAt(Date.now())
  const [left, stays] = [await at.launch(bob), await at.launch(ann)]
  await at.settle()
  at.peers.left.add('bob')
  await stopUnentitled.run(at.ctx, new AbortController().signal)
  await at.settle()
  const stateOf = async ({ id }: { id: string }) =>
    (await at.compute.getInstance({ id }, ann)).instance?.lifecycle
  assert.deepEqual(
    [await stateOf(left), await stateOf(stays)],
    [Lifecycle.STOPPED, Lifecycle.RUNNING],
  )
})

test('an exhausted allowance refuses launches and starts, unless overages are enabled', async () => {
  await using at = await startAt(Date.now())
  at.peers.terms.monthlyComputeSeconds = 5n
  const { workspaceId } = at.peers
  const { id } = await at.launch()
  await at.settle()
  at.clock.now += 5000
  await at.compute.stopInstance({ id }, ann)
  await at.settle()
  const exhausted = { code: Code.ResourceExhausted, error: 'allowance_exhausted', fields: [] }
  assert.deepEqual(await failureOf(at.launch()), exhausted)
  assert.deepEqual(await failureOf(at.compute.startInstance({ id }, ann)), exhausted)
  const options = await at.compute.getLaunchOptions({ workspaceId }, ann)
  assert.equal(options.reason, 'allowance_exhausted')
  const allowance = await at.compute.getAllowance({ workspaceId }, vera)
  assert.deepEqual(
    [allowance.usedSeconds, allowance.remainingSeconds, allowance.isExhausted],
    [5n, 0n, true],
  )
  at.peers.overages = true
  assert.equal((await at.compute.getAllowance({ workspaceId }, vera)).isExhausted, false)
  await at.compute.startInstance({ id }, ann)
})

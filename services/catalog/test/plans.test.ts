import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { actAs, user } from '@figbase/kit/rpc'
import { lastPeriods } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import { recordStored } from '../src/periodic/record-stored.js'
import {
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  denied,
  grant,
  ORGANIZATION,
  startTestCatalog,
  system,
  WORKSPACE,
} from './test-service.js'

test('the plans of many workspaces are listed at once, for services only', async () => {
  await using catalog = await startTestCatalog()
  const [one, other] = [await createTree(catalog), await createTree(catalog)]
  const change = { nodeId: other.workspace.id, type: WORKSPACE, computeOveragesEnabled: true }
  await catalog.plans.changeSubscription(change, ada)
  const workspaceIds = [one.workspace.id, randomUUID(), other.workspace.id]
  const { plans } = await catalog.plans.listPlanTerms({ workspaceIds }, system)
  assert.equal(plans.length, 2)
  for (const { workspace } of [one, other]) {
    const { terms, holderId, computeOveragesEnabled } = await catalog.plans.getPlanTerms(
      { workspaceId: workspace.id },
      ada,
    )
    const found = plans.find(({ workspaceId }) => workspaceId === workspace.id)
    assert.deepEqual(
      [found?.terms, found?.holderId, found?.computeOveragesEnabled],
      [terms, holderId, computeOveragesEnabled],
    )
  }
  await assertError(catalog.plans.listPlanTerms({ workspaceIds }, ada), denied)
  await assertError(catalog.plans.listPlanTerms({ workspaceIds: ['x'] }, system), {
    code: 'InvalidArgument',
    field: 'workspace_ids',
  })
})

test('staff list what workspaces and organizations store, the largest first, without names', async () => {
  await using catalog = await startTestCatalog()
  const staff = actAs(user('root', true))
  const trees = [await createTree(catalog), await createTree(catalog), await createTree(catalog)]
  const sizes = [10, 30, 20]
  for (const [i, { workspace }] of trees.entries()) {
    await catalog.query(`insert into node_stat (node_id, size_bytes) values ('${workspace.id}', ${sizes[i]})
      on conflict (node_id) do update set size_bytes = excluded.size_bytes`)
  }
  const seen: [string, string, bigint][] = []
  let pageToken = ''
  do {
    const request = { type: WORKSPACE, pageSize: 2, pageToken }
    const page = await catalog.plans.listStoredBytes(request, staff)
    seen.push(
      ...page.items.map(({ id, owner, bytes }): [string, string, bigint] => [id, owner, bytes]),
    )
    pageToken = page.nextPageToken
  } while (pageToken)
  const ids = trees.map(({ workspace }) => workspace.id)
  assert.deepEqual(seen, [
    [ids[1], 'ada', 30n],
    [ids[2], 'ada', 20n],
    [ids[0], 'ada', 10n],
  ])
  const organizations = await catalog.plans.listStoredBytes({ type: NodeType.ORGANIZATION }, staff)
  assert.deepEqual(organizations.items, [])
  await assertError(catalog.plans.listStoredBytes({ type: WORKSPACE }, ada), denied)
  for (const [request, field] of [
    [{ type: NodeType.FIGURE }, 'type'],
    [{ type: WORKSPACE, pageToken: 'x' }, 'page_token'],
  ] as const) {
    await assertError(catalog.plans.listStoredBytes(request, staff), {
      code: 'InvalidArgument',
      field,
    })
  }
})

test('changes of plans and promotions are recorded before they are made', async () => {
  await using catalog = await startTestCatalog()
  const staff = actAs(user('root', true))
  const { plan } = await catalog.plans.createPlan({ terms: { name: 'Lab' } }, staff)
  const id = plan?.id ?? ''
  await catalog.plans.updatePlan({ id, terms: { name: 'Labs' } }, staff)
  const code = 'SPRING-2026'
  await catalog.plans.createPromotion({ code, planId: id }, staff)
  await catalog.plans.deletePromotion({ code }, staff)
  await catalog.plans.deletePlan({ id }, staff)
  assert.deepEqual(
    catalog.staffActions.map(({ kind, target }) => [StaffActionKind[kind], target]),
    [
      ['CREATE_PLAN', 'Lab'],
      ['CHANGE_PLAN', 'Labs'],
      ['CREATE_PROMOTION', code],
      ['DELETE_PROMOTION', code],
      ['DELETE_PLAN', 'Labs'],
    ],
  )
  await assertError(catalog.plans.createPlan({ terms: { name: 'Mine' } }, ada), denied)
  assert.equal(catalog.staffActions.length, 5)
})

test('activities and the most that was stored are listed by month', async () => {
  await using catalog = await startTestCatalog()
  const { workspace, figure } = await createTree(catalog)
  const periods = lastPeriods(12)
  const [before = '', now = ''] = periods.slice(-2)
  const signal = new AbortController().signal
  const monthsOf = async ({ id: nodeId, type } = workspace, by = ada) => {
    const { months } = await catalog.plans.listMonthlyUsage({ nodeId, type }, by)
    assert.deepEqual(
      months.map(({ period }) => period),
      periods,
    )
    return months.slice(-2).map(({ activities, storedBytes }) => [activities, storedBytes])
  }
  const logged = async () =>
    (
      await catalog.query<{ n: bigint }>(
        `select count(*) as n from activity where workspace_id = '${workspace.id}' and not is_silent`,
      )
    )[0]?.n ?? 0n
  const first = await logged()
  assert.deepEqual(await monthsOf(), [
    [0n, 0n],
    [first, 0n],
  ])

  await createRevision(catalog, figure.id, [40n])
  await catalog.query(`update activity set at = date_trunc('month', now() at time zone 'utc') at time zone 'utc'
      - interval '1 minute' where workspace_id = '${workspace.id}' and action = 'create' and target_id = '${figure.id}'`)
  const all = (await logged()) - 1n
  // Not recorded yet, but stored now.
  assert.deepEqual(await monthsOf(), [
    [1n, 0n],
    [all, 40n],
  ])
  await catalog.fold()
  await recordStored.run(catalog.ctx, signal)
  await catalog.query(`insert into stored_month values ('${workspace.id}', '${before}', 70),
    ('${workspace.id}', '2020-01', 90)`)
  // Less is stored than before.
  await catalog.query(`update node_stat set size_bytes = 15 where node_id = '${workspace.id}'`)
  await recordStored.run(catalog.ctx, signal)
  assert.deepEqual(await monthsOf(), [
    [1n, 70n],
    [all, 40n],
  ])
  await catalog.query(`update node_stat set size_bytes = 55 where node_id = '${workspace.id}'`)
  await recordStored.run(catalog.ctx, signal)
  const [row] = await catalog.query<{ bytes: bigint }>(
    `select bytes from stored_month where workspace_id = '${workspace.id}' and period = '${now}'`,
  )
  assert.equal(row?.bytes, 55n)

  const organization = await createNode(catalog, ORGANIZATION)
  const other = await createTree(catalog)
  await catalog.query(`update node set organization_id = '${organization.id}'
    where id in ('${workspace.id}', '${other.workspace.id}')`)
  await catalog.query(`insert into stored_month values ('${other.workspace.id}', '${before}', 5)`)
  assert.deepEqual(
    (await monthsOf(organization)).map(([, bytes]) => bytes),
    [75n, 55n],
  )
  await grant(catalog, 'bob', workspace, 'viewer')
  await assertError(monthsOf(workspace, bob), denied)
})

test('what a workspace stored is removed when it can no longer be restored', async () => {
  await using catalog = await startTestCatalog()
  const { workspace } = await createTree(catalog)
  const kept = await createTree(catalog)
  const signal = new AbortController().signal
  for (const { id } of [workspace, kept.workspace]) {
    await catalog.query(`insert into stored_month values ('${id}', '2026-01', 70)`)
  }
  const left = async () =>
    (await catalog.query<{ id: string }>('select workspace_id as id from stored_month')).length
  await catalog.client.deleteNode({ id: workspace.id, type: WORKSPACE }, ada)
  await recordStored.run(catalog.ctx, signal)
  assert.equal(await left(), 2)
  await catalog.query(
    `update tombstone set purge_began_on = now() where node_id = '${workspace.id}'`,
  )
  await recordStored.run(catalog.ctx, signal)
  assert.equal(await left(), 1)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  ada,
  assertError,
  createTree,
  denied,
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

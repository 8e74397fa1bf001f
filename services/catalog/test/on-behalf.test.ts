import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, user } from '@figbase/kit/rpc'
import {
  ada,
  assertError,
  createTree,
  FIGURE_REVISION,
  get,
  startTestCatalog,
  type TestCatalog,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { NAME_CHARS_MAX: '40' } })
})
after(() => catalog[Symbol.asyncDispose]())

const staff = actAs(user('sue', true))
const onBehalf = { name: 'Grace Hopper', email: 'grace@example.org' }

test('staff can create on behalf of others; the field is ignored for other callers', async () => {
  const request = { type: WORKSPACE, name: 'w', onBehalf }
  const { node: made } = await catalog.client.createNode(request, staff)
  assert.deepEqual({ ...made?.onBehalf }, { $typeName: 'figbase.catalog.v1.OnBehalf', ...onBehalf })
  assert.deepEqual(
    [made?.createdBy, await get(catalog, made ?? assert.fail(), staff)],
    ['sue', made],
  )
  const { node: own } = await catalog.client.createNode(request, ada)
  assert.equal(own?.onBehalf, undefined)
  for (const wrong of [
    { ...onBehalf, name: 'a\0' },
    { ...onBehalf, name: 'x'.repeat(41) },
  ]) {
    const bad = catalog.client.createNode({ ...request, onBehalf: wrong }, staff)
    await assertError(bad, { code: 'InvalidArgument', field: 'created_on_behalf_name' })
  }
})

test('an owning service sets on whose behalf content was created', async () => {
  const { figure } = await createTree(catalog)
  const place = { type: FIGURE_REVISION, parentId: figure.id }
  const { id } = await catalog.client.reserve({ ...place, onBehalf: { name: 'Grace' } }, ada)
  const { node } = await catalog.client.activate({ id }, ada)
  assert.deepEqual([node?.onBehalf?.name, node?.onBehalf?.email], ['Grace', ''])
  const { nodes } = await catalog.client.listChildren({ ...place }, ada)
  assert.equal(nodes[0]?.onBehalf?.name, 'Grace')
})

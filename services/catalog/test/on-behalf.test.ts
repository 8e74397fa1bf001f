import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, user } from '@figbase/kit'
import {
  ada,
  type Bench,
  FIGURE_REVISION,
  get,
  makeTree,
  refused,
  startBench,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { NAME_CHARS_MAX: '40' } })
})
after(() => bench[Symbol.asyncDispose]())

const staff = actAs(user('sue', true))
const onBehalf = { name: 'Grace Hopper', email: 'grace@example.org' }

test('staff makes objects on behalf of others; who else says so is not heard', async () => {
  const request = { type: WORKSPACE, name: 'w', onBehalf }
  const { node: made } = await bench.client.createNode(request, staff)
  assert.deepEqual({ ...made?.onBehalf }, { $typeName: 'figbase.catalog.v1.OnBehalf', ...onBehalf })
  assert.deepEqual([made?.createdBy, await get(bench, made ?? assert.fail(), staff)], ['sue', made])
  const { node: own } = await bench.client.createNode(request, ada)
  assert.equal(own?.onBehalf, undefined)
  for (const wrong of [
    { ...onBehalf, name: 'a\0' },
    { ...onBehalf, name: 'x'.repeat(41) },
  ]) {
    const bad = bench.client.createNode({ ...request, onBehalf: wrong }, staff)
    await refused(bad, { code: 'InvalidArgument', field: 'created_on_behalf_name' })
  }
})

test('the owner of content says on whose behalf it was made', async () => {
  const { figure } = await makeTree(bench)
  const place = { type: FIGURE_REVISION, parentId: figure.id }
  const { id } = await bench.client.reserve({ ...place, onBehalf: { name: 'Grace' } }, ada)
  const { node } = await bench.client.activate({ id }, ada)
  assert.deepEqual([node?.onBehalf?.name, node?.onBehalf?.email], ['Grace', ''])
  const { nodes } = await bench.client.listChildren({ ...place }, ada)
  assert.equal(nodes[0]?.onBehalf?.name, 'Grace')
})

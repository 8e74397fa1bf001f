import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { actAs } from '@figbase/kit/rpc'
import { PrincipalSchema } from '@figbase/proto/common'
import {
  ANALYSIS,
  ASSET,
  ada,
  createNode,
  createTree,
  FIGURE,
  get,
  startTestCatalog,
  type TestCatalog,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const service = actAs(create(PrincipalSchema, { username: 'ada', isSystem: true }))
const importSource = `git+https://example.org/a.git@${'a'.repeat(40)}#b`

test('a service says where an object is imported from, a user cannot, and a move changes nothing', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const other = await createNode(catalog, ANALYSIS, workspace.id)
  for (const [type, parentId] of [
    [ANALYSIS, workspace.id],
    [FIGURE, analysis.id],
    [ASSET, workspace.id],
  ] as const) {
    const request = { type, parentId, name: 'n', importSource }
    const { node } = await catalog.client.createNode(request, service)
    assert.ok(node)
    assert.equal(node.importSource, importSource)
    assert.deepEqual(await get(catalog, node), node)
    const { nodes } = await catalog.client.listChildren({ type, parentId }, ada)
    assert.equal(nodes.find(({ id }) => id === node.id)?.importSource, importSource)
    const { node: own } = await catalog.client.createNode(request, ada)
    assert.equal(own?.importSource, '')
    if (type !== FIGURE) continue
    const { node: moved } = await catalog.client.updateNode(
      { id: node.id, type, parentId: other.id, name: 'm' },
      ada,
    )
    assert.deepEqual([moved?.parentId, moved?.importSource], [other.id, importSource])
  }
})

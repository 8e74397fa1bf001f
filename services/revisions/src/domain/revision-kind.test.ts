import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { inAnalysis, nodeTypeOf, ofFigures, revisionKind } from './revision-kind.js'

const { FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION, ANALYSIS } = NodeType

test('revision kinds of figures and assets differ by their parent', () => {
  assert.deepEqual(revisionKind(FIGURE_REVISION), {
    type: 'figure_revision',
    nodeType: FIGURE_REVISION,
    parentType: FIGURE,
    parentField: 'figure',
  })
  assert.deepEqual(revisionKind(ASSET_REVISION), {
    type: 'asset_revision',
    nodeType: ASSET_REVISION,
    parentType: ASSET,
    parentField: 'asset',
  })
  assert.deepEqual(inAnalysis, { ...ofFigures, parentType: ANALYSIS, parentField: 'analysis' })
})

test('rejects other node types', () => {
  const message = '[invalid_argument] type: must be FIGURE_REVISION or ASSET_REVISION'
  for (const type of [NodeType.UNSPECIFIED, FIGURE, ASSET]) {
    assert.throws(() => revisionKind(type), { message })
  }
})

test('maps a stored type to its node type', () => {
  assert.equal(nodeTypeOf('figure_revision'), FIGURE_REVISION)
  assert.equal(nodeTypeOf('asset_revision'), ASSET_REVISION)
})

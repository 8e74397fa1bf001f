import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { nodeTypeOf, targetKindOf, targetTypes } from './target.js'

const { FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION } = NodeType

test('figures, assets and their revisions can have comments', () => {
  const kinds = ['figure', 'figure_revision', 'asset', 'asset_revision'] as const
  assert.deepEqual(targetTypes, [FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION])
  assert.deepEqual(targetTypes.map(targetKindOf), kinds)
  assert.deepEqual(kinds.map(nodeTypeOf), targetTypes)
})

test('rejects other types, and names the valid ones', () => {
  const message =
    '[invalid_argument] target_type: must be one of figure, figure_revision, asset, asset_revision'
  for (const type of [NodeType.UNSPECIFIED, NodeType.WORKSPACE, NodeType.ANALYSIS]) {
    assert.throws(() => targetKindOf(type), { message })
  }
})

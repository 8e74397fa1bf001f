import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { toTimestamp } from '@figbase/kit/db'
import { NodeType, PlacedNodeSchema } from '@figbase/proto/catalog'
import { placeOf } from './place.js'

const createdOn = '2026-11-23T10:00:00.123456Z'
const stored = '2026-11-23 10:00:00.123456+00'

const placed = (type: NodeType, lineage: string[], deletedRootId = '') =>
  placeOf(
    create(PlacedNodeSchema, {
      node: { id: lineage.at(-1) ?? '', type, createdOn: toTimestamp(stored) },
      lineage,
      deletedRootId,
    }),
  )

const cases: [string, NodeType, string[], string | null, string | null][] = [
  ['workspace', NodeType.WORKSPACE, ['w'], null, null],
  ['analysis', NodeType.ANALYSIS, ['w', 'a'], 'a', null],
  ['figure', NodeType.FIGURE, ['w', 'a', 'f'], 'a', 'f'],
  ['figure revision', NodeType.FIGURE_REVISION, ['w', 'a', 'f', 'r'], 'a', 'f'],
  ['asset', NodeType.ASSET, ['w', 's'], null, 's'],
  ['story', NodeType.STORY, ['w', 's'], null, 's'],
  ['asset revision', NodeType.ASSET_REVISION, ['w', 's', 'r'], null, 's'],
]

for (const [name, type, lineage, analysisId, itemId] of cases) {
  test(`the place of an object of the type ${name}`, () => {
    const place = placed(type, lineage)
    assert.equal(place?.workspaceId, 'w')
    assert.equal(place?.analysisId, analysisId)
    assert.equal(place?.itemId, itemId)
    assert.equal(place?.hiddenBy, null)
    assert.equal(place?.createdOn, createdOn)
  })
}

test('the place names the deleted object that hides it', () => {
  assert.equal(placed(NodeType.FIGURE, ['w', 'a', 'f'], 'a')?.hiddenBy, 'a')
})

test('organizations have no place', () => {
  assert.equal(placed(NodeType.ORGANIZATION, ['o']), undefined)
})

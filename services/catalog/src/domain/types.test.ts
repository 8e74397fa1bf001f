import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { kindOf, nounOf, ownKinds, parentKind, typeOf } from './types.js'

test('every type of the wire has a word, and back', () => {
  const types = Object.values(NodeType).filter((type) => typeof type === 'number')
  for (const type of types) {
    const kind = kindOf(type)
    if (type === NodeType.UNSPECIFIED) assert.equal(kind, undefined)
    else assert.equal(kind && typeOf(kind), type)
    if (kind) assert.match(nounOf[kind], /^this /)
  }
  assert.throws(() => kindOf(99 as NodeType), /type: is unknown/)
})

test('each kind lives under the one that its body names', () => {
  assert.deepEqual(parentKind, {
    analysis: 'workspace',
    figure: 'analysis',
    figure_revision: 'figure',
    asset: 'workspace',
    asset_revision: 'asset',
  })
})

test('revisions and stories have owners other than catalog', () => {
  assert.deepEqual(ownKinds, ['organization', 'workspace', 'analysis', 'figure', 'asset'])
})

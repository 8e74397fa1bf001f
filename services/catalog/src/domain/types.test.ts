import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { catalogKinds, kindOf, nounOf, parentKind, typeOf } from './types.js'

test('maps each node type to a kind and back', () => {
  const types = Object.values(NodeType).filter((type) => typeof type === 'number')
  for (const type of types) {
    const kind = kindOf(type)
    if (type === NodeType.UNSPECIFIED) assert.equal(kind, undefined)
    else assert.equal(kind && typeOf(kind), type)
    if (kind) assert.match(nounOf[kind], /^this /)
  }
  assert.throws(() => kindOf(99 as NodeType), /type: is unknown/)
})

test('lists the parent kind of each kind', () => {
  assert.deepEqual(parentKind, {
    analysis: 'workspace',
    figure: 'analysis',
    figure_revision: 'figure',
    asset: 'workspace',
    asset_revision: 'asset',
    story: 'workspace',
  })
})

test('catalog creates all kinds but revisions and stories', () => {
  assert.deepEqual(catalogKinds, ['organization', 'workspace', 'analysis', 'figure', 'asset'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { figureNames, folded } from './figure-names.js'

const image = (name: string | null, metadata: object = {}) => ({
  name,
  type: DataType.IMAGE,
  metadata: JSON.stringify(metadata),
})

test('a figure is called as the metadata and the images of its revision say', () => {
  const data = [
    image('figure'),
    image(' Depth ', { title: 'Counts', format: 'png' }),
    image('Depth'),
  ]
  assert.deepEqual(figureNames('{"figure_name": "Plankton", "seed": 1}', data), [
    'Plankton',
    'Counts',
    'Depth',
  ])
})

test('what says nothing, and what is no image, names no figure', () => {
  const data = [
    image('Figure'),
    image(null),
    image('   '),
    image('PLOT', { title: 7 }),
    { ...image('table'), type: DataType.FILE },
  ]
  for (const metadata of ['{}', '[]', 'null', '"text"', '{"title": {"a": 1}}']) {
    assert.deepEqual(figureNames(metadata, data), [])
  }
})

test('names are compared without case, form and space', () => {
  assert.equal(folded('  Monthly\u00a0 MEANS '), 'monthly means')
  assert.equal(folded('\ufb01g\u0075\u0308re'), 'figüre')
  assert.notEqual(folded('Figure 1'), folded('Figure 2'))
})

test('each member that names a figure counts, and a name is cut without a space at its end', () => {
  const metadata = JSON.stringify({ name: 'Third', title: 'Second', figure_name: 'First' })
  assert.deepEqual(figureNames(metadata, []), ['First', 'Second', 'Third'])
  const long = (end: string) => figureNames('{}', [image(`  ${'x'.repeat(199)}${end}`)])
  assert.deepEqual(long('yz'), [`${'x'.repeat(199)}y`])
  assert.deepEqual(long(' z'), ['x'.repeat(199)])
})

test('what clients call every picture names no figure', () => {
  for (const name of ['figure', 'Image', 'PLOT']) {
    assert.deepEqual(figureNames('{}', [image(name)]), [], name)
  }
})

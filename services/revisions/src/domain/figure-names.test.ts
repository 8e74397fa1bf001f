import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { figureNames, foldedName } from './figure-names.js'

const image = (name: string | null, metadata: object = {}) => ({
  name,
  type: DataType.IMAGE,
  metadata: JSON.stringify(metadata),
})

test('names of a figure come from the metadata and the images of its revision', () => {
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

test('default names and data other than images give no name', () => {
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

test('names are compared without case, Unicode form and white space', () => {
  assert.equal(foldedName('  Monthly\u00a0 MEANS '), 'monthly means')
  assert.equal(foldedName('\ufb01g\u0075\u0308re'), 'figüre')
  assert.notEqual(foldedName('Figure 1'), foldedName('Figure 2'))
})

test('each member with a name counts, and a name is cut without trailing space', () => {
  const metadata = JSON.stringify({ name: 'Third', title: 'Second', figure_name: 'First' })
  assert.deepEqual(figureNames(metadata, []), ['First', 'Second', 'Third'])
  const long = (end: string) => figureNames('{}', [image(`  ${'x'.repeat(199)}${end}`)])
  assert.deepEqual(long('yz'), [`${'x'.repeat(199)}y`])
  assert.deepEqual(long(' z'), ['x'.repeat(199)])
})

test('default names of clients give no name', () => {
  for (const name of ['figure', 'Image', 'PLOT']) {
    assert.deepEqual(figureNames('{}', [image(name)]), [], name)
  }
})

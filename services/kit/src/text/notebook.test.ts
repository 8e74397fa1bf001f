import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notebookCode } from './notebook.js'

test('the code of a notebook is that of its cells, with notes as comments and without outputs', () => {
  const cells = [
    { cell_type: 'markdown', source: ['Load\n', 'data'] },
    { cell_type: 'code', source: 'x = 1', outputs: [{ data: { 'text/plain': 'secret' } }] },
    { cell_type: 'raw', source: 'raw' },
    { cell_type: 'code', source: ['y = 2', 7] },
    null,
  ]
  assert.equal(notebookCode({ cells }), '# Load\n# data\nx = 1\n\ny = 2')
})

test('other JSON is no notebook', () => {
  for (const json of [null, 7, [], {}, { cells: 'x' }, { cells: [{}] }, { cells: [7] }]) {
    assert.equal(notebookCode(json), undefined)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toGroup, toGroups } from '../src/groups.js'

test('files alike up to the first dot are one figure', () => {
  const files = ['d/means.svg', 'd/means.png', 'd/means.vl.json', 'd/means.py', 'd/means.csv']
  assert.deepEqual(toGroups([...files, 'd/other.PDF']), [
    {
      name: 'means',
      image: ['d/means.png', 'd/means.svg'],
      code: ['d/means.py'],
      data: ['d/means.csv', 'd/means.vl.json'],
    },
    { name: 'other', image: ['d/other.PDF'], code: [], data: [] },
  ])
})

test('a text is a description only beside a figure with its name', () => {
  const [means, ...others] = toGroups(['means.png', 'means.md', 'means.txt', 'README.md'])
  assert.equal(means?.description, 'means.md')
  assert.deepEqual(means?.data, ['means.txt'])
  assert.deepEqual(others, [])
})

test('hidden files are no figures', () => {
  assert.deepEqual(toGroups(['.gitignore', 'd/.means.png']), [])
})

test('one figure of all files, whatever they are called', () => {
  const { name, image, code, description } = toGroup('A', ['b.R', 'a.jpeg', 'c.md'])
  assert.deepEqual([name, image, code, description], ['A', ['a.jpeg'], ['b.R'], 'c.md'])
  assert.deepEqual(toGroup('A', ['notes.txt']).data, ['notes.txt'])
})

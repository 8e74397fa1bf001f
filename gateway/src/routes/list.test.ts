import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from './list.js'

const items = ['a', 'b', 'c', 'd']
const keyOf = (item: string) => item

function pages(size: number, list = items) {
  const found: string[][] = []
  let pageToken = ''
  do {
    const page = pageOf(list, keyOf, { pageSize: size, pageToken })
    found.push(page.items)
    pageToken = page.nextPageToken
  } while (pageToken)
  return found
}

test('a list in memory is read in pages', () => {
  assert.deepEqual(pages(1), [['a'], ['b'], ['c'], ['d']])
  assert.deepEqual(pages(3), [['a', 'b', 'c'], ['d']])
  assert.deepEqual(pages(4), [items])
  assert.deepEqual(pages(0), [items])
  assert.deepEqual(pages(2, []), [[]])
})

test('the next page begins after an item, wherever that is by now', () => {
  const { nextPageToken: pageToken } = pageOf(items, keyOf, { pageSize: 2, pageToken: '' })
  const later = ['new', ...items, 'newer']
  const page = pageOf(later, keyOf, { pageSize: 2, pageToken })
  assert.deepEqual(page.items, ['c', 'd'])
})

test('a cursor whose item is gone is refused', () => {
  const { nextPageToken: pageToken } = pageOf(items, keyOf, { pageSize: 2, pageToken: '' })
  for (const token of [pageToken, 'nonsense', '%%']) {
    assert.throws(
      () => pageOf(['a', 'c'], keyOf, { pageSize: 1, pageToken: token }),
      /cursor: is not a cursor of this list/,
    )
  }
})

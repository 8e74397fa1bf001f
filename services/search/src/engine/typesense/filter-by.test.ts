import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FoundType } from '../port.js'
import { filterBy } from './filter-by.js'

const a = 'aaaaaaaa-0000-4000-8000-000000000000'
const b = 'bbbbbbbb-0000-4000-8000-000000000000'

test('hidden documents are found below recent ids only', () => {
  assert.equal(
    filterBy({ roots: [a], recent: [b] }),
    `((below:=[${a}] && hidden:=false) || below:=[${b}])`,
  )
  assert.equal(filterBy({ roots: [], recent: [b] }), `(below:=[${b}])`)
})

test('types are a condition of their own', () => {
  const filter = filterBy({ roots: [a, a.toUpperCase(), b], recent: [], types: ['asset'] })
  assert.equal(filter, `type:=[asset] && ((below:=[${a},${b}] && hidden:=false))`)
})

test('each token of metadata is a condition of its own', () => {
  const filter = filterBy({ roots: [a], recent: [], types: ['asset'], metadata: ['ab12', 'cd34'] })
  const place = `((below:=[${a}] && hidden:=false))`
  assert.equal(filter, `type:=[asset] && tokens:=ab12 && tokens:=cd34 && ${place}`)
  for (const token of ['', 'x] || hidden:=true', 'ab 12', 'AB12'])
    assert.equal(filterBy({ roots: [a], recent: [], metadata: [token] }), undefined, token)
})

test('what allows nothing has no expression', () => {
  assert.equal(filterBy({ roots: [], recent: [] }), undefined)
  assert.equal(filterBy({ roots: [a], recent: [], types: [] }), undefined)
})

test('a value that is not an id never becomes part of the expression', () => {
  for (const text of ['`', 'x] || hidden:=true || below:=[y', 'a,b', `${a}]`, `${a}\n`, '*', '']) {
    assert.equal(filterBy({ roots: [text], recent: [text] }), undefined, text)
    const others = { roots: [a, text], recent: [text, b] }
    assert.equal(filterBy(others), filterBy({ roots: [a], recent: [b] }), text)
  }
  const types = ['asset] || hidden:=[true'] as unknown as FoundType[]
  assert.equal(filterBy({ roots: [a], recent: [], types }), undefined)
})

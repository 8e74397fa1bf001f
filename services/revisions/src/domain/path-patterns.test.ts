import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesAny } from './path-patterns.js'

const cases: [pattern: string, path: string, isMatch: boolean][] = [
  ['*.png', 'a.png', true],
  ['*.png', 'plots/deep/a.png', true],
  ['*.png', 'a.png.txt', false],
  ['plots', 'plots/a/b.png', true],
  ['plots/', 'plots/a.png', true],
  ['plots/', 'other/plots/a.png', true],
  ['/plots', 'other/plots/a.png', false],
  ['/plots', 'plots/a.png', true],
  ['plots/*.png', 'plots/a.png', true],
  ['plots/*.png', 'plots/b/a.png', false],
  ['plots/*.png', 'x/plots/a.png', false],
  ['plots/**/a.png', 'plots/a.png', true],
  ['plots/**/a.png', 'plots/b/c/a.png', true],
  ['plots/**/a.png', 'plots/ba.png', false],
  ['**', 'any/thing', true],
  ['a/**', 'a/b/c', true],
  ['fig?.png', 'fig1.png', true],
  ['fig?.png', 'fig.png', false],
  ['a?b', 'a/b', false],
  ['*a*b', 'xaxb', true],
  ['*a*b', 'xbxa', false],
  ['[ab].png', 'a.png', false],
  ['.*', '.github/a.png', true],
]

for (const [pattern, path, isMatch] of cases) {
  test(`${pattern} ${isMatch ? 'matches' : 'does not match'} ${path}`, () => {
    assert.equal(matchesAny([pattern], path), isMatch)
  })
}

test('no patterns match nothing', () => {
  assert.equal(matchesAny([], 'a'), false)
})

test('a pattern with many stars takes milliseconds', () => {
  const began = performance.now()
  assert.equal(matchesAny(['*a'.repeat(100)], `${'a'.repeat(4000)}b`), false)
  assert.ok(performance.now() - began < 2000)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldedPath, isLfsPointer, pathProblem } from './git-paths.js'

const limits = { pathDepthMax: 3, pathBytesMax: 20 }

test('accepts ordinary paths', () => {
  for (const path of [
    'a',
    'a/b/c',
    '.gitignore',
    '.github/a',
    'git~',
    'a.git/b',
    '...',
    '-a',
    'ü ö.txt',
    'a'.repeat(20),
  ]) {
    assert.equal(pathProblem(path, limits), undefined, path)
  }
})

test('says why a path cannot be imported', () => {
  const cases: [string, RegExp][] = [
    ['a/b/c/d', /^is nested in more than 2 folders$/],
    ['ü'.repeat(11), /^has a path of more than 20 bytes$/],
    ['a/../b', /invalid/],
    ['./a', /invalid/],
    ['/a', /invalid/],
    ['a//b', /invalid/],
    ['a\\b', /backslash/],
    ['a\tb', /control/],
    ['.GIT/a', /reserved for Git/],
    ['a/.git', /reserved for Git/],
    ['.git. /a', /reserved for Git/],
    ['GIT~1/a', /reserved for Git/],
    ['.gi\u200dt/a', /reserved for Git/],
    ['.git:x/a', /reserved for Git/],
  ]
  for (const [path, expected] of cases)
    assert.match(pathProblem(path, limits) ?? '', expected, path)
})

test('folds paths that differ in case or normalization', () => {
  assert.equal(foldedPath('A/e\u0301'), foldedPath('a/\u00c9'))
  assert.notEqual(foldedPath('a'), foldedPath('b'))
})

test('recognizes pointers of Git LFS', () => {
  const pointer = (server: string) =>
    Buffer.from(`version https://${server}/spec/v1\noid sha256:0\n`)
  assert.ok(
    isLfsPointer(pointer('git-lfs.github.com')) && isLfsPointer(pointer('hawser.github.com')),
  )
  assert.ok(!isLfsPointer(pointer('example.org')) && !isLfsPointer(Buffer.from('version 1')))
})

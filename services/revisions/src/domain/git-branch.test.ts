import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { branchProblem } from './git-branch.js'

const valid = ['main', 'feature/a-b', 'ü', 'a.b', 'a@b', '{a}', 'a/@', "a'$(b)", 'ENV', 'x.lockb']
const invalid = [
  ...['', '-a', '@', 'HEAD', '.a', 'a/.b', 'a.', 'a..b', 'a//b', '/a', 'a/', 'a.lock', 'a.lock/b'],
  ...['a b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a@{b', 'a\nb', 'a\x7fb'],
]

test('decides as git does', { skip: spawnSync('git').error && 'git is not installed' }, () => {
  const isValid = (name: string) =>
    spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/' }).status === 0
  for (const name of valid)
    assert.deepEqual([isValid(name), branchProblem(name)], [true, undefined])
  // Git accepts these here, but creates no branch with such a name.
  for (const name of invalid.filter((name) => !['@', 'HEAD'].includes(name)))
    assert.ok(!isValid(name), name)
})

test('says what is wrong with a branch', () => {
  for (const name of invalid) assert.match(branchProblem(name) ?? '', /^(must|is) not /, name)
  assert.equal(branchProblem('a'.repeat(255)), undefined)
  assert.equal(branchProblem('ü'.repeat(128)), 'must have at most 255 bytes')
  assert.equal(branchProblem('\ud800'), 'is not a valid name of a branch')
})

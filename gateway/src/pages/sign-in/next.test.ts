import assert from 'node:assert/strict'
import { test } from 'node:test'
import { homePath, pathOf, signInFor, signInPath } from './next.js'

test('allows redirects to paths of this site', () => {
  for (const path of [
    '/',
    '/r/abc',
    '/figure/x?a=b&c=%2F',
    '/a//b',
    '/%2F/evil',
    '/@evil',
    '/.//x',
  ]) {
    assert.equal(pathOf(path), path)
    assert.equal(new URL(path, 'https://here.example').origin, 'https://here.example')
  }
})

test('rejects redirects to other sites in any notation', () => {
  for (const text of [
    undefined,
    '',
    'evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/a\r\nset-cookie: x=y',
    '/a\\..\\..//evil.example',
    '/\u2028/evil',
    '/ä',
    `/${'x'.repeat(2000)}`,
  ]) {
    assert.equal(pathOf(text), homePath, JSON.stringify(text))
  }
})

test('the address of the sign-in page contains only allowed paths', () => {
  assert.equal(signInFor('/r/abc?a=b&c'), '/sign-in/?next=%2Fr%2Fabc%3Fa%3Db%26c')
  assert.equal(signInFor('//evil.example'), `${signInPath}?next=%2F`)
  assert.equal(signInFor('/sign-in/?next=%2F'), signInPath)
})

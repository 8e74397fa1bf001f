import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instanceOf, localOrigin, notebookOrigin } from './origin.js'

const id = '0198a000-0000-7000-8000-000000000001'

test('one origin for all instances', () => {
  const origin = notebookOrigin('https://notebooks.example.org/')
  assert.ok(origin && !origin.isPerInstance && origin.isSecure)
  assert.equal(origin.of(id), 'https://notebooks.example.org')
  assert.equal(origin.hostOf(id), 'notebooks.example.org')
})

test('a host for each instance', () => {
  const origin = notebookOrigin('http://*.notebooks.example.org:8080')
  assert.ok(origin?.isPerInstance && !origin.isSecure)
  assert.equal(origin.of(id), `http://${id}.notebooks.example.org:8080`)
  assert.equal(localOrigin(8001).of(id), `http://${id}.localhost:8001`)
})

for (const text of [
  '',
  'notebooks.example.org',
  'ftp://notebooks.example.org',
  'https://notebooks.example.org/path',
  'https://user@notebooks.example.org',
  'https://note*.example.org',
  'https://a.*.example.org',
  'https://*.',
  'https://*',
]) {
  test(`no origin: ${text}`, () => assert.equal(notebookOrigin(text), undefined))
}

test('the instance of a path', () => {
  assert.equal(instanceOf(`/instance/${id}/`), id)
  assert.equal(instanceOf(`/instance/${id.toUpperCase()}/tree?a=/b`), id)
  for (const path of [
    '/',
    `/instance/${id}`,
    `/instance/${id.slice(1)}/`,
    `//instance/${id}/`,
    `/x/instance/${id}/`,
    `/instance/${'.'.repeat(36)}/`,
  ]) {
    assert.equal(instanceOf(path), undefined, path)
  }
})

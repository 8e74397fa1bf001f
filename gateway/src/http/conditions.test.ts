import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesEtag, requestedRange, wantsBytes } from './conditions.js'

test('If-None-Match matches a single ETag, a list, a weak ETag and *', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '"b","a" ,"c"', '*', ' * ']) {
    assert.equal(matchesEtag(header, '"a"'), true, header)
  }
  for (const header of [undefined, '', 'a', '"b"', '"aa"', '"b", "c"', "'a'"]) {
    assert.equal(matchesEtag(header, '"a"'), false, header)
  }
})

const part = (offset: number, length: number) => ({ offset, length })

test('Range selects a single byte range, cut at the end of the content', () => {
  for (const [range, expected] of [
    ['bytes=0-0', part(0, 1)],
    ['bytes=0-9', part(0, 10)],
    ['bytes=0-10', part(0, 10)],
    ['bytes=3-5', part(3, 3)],
    ['bytes=3-', part(3, 7)],
    ['bytes=9-', part(9, 1)],
    ['bytes=-1', part(9, 1)],
    ['bytes=-10', part(0, 10)],
    ['bytes=-1000', part(0, 10)],
    ['bytes=5-99999999999999999999999', part(5, 5)],
    ['Bytes = 1-2 ', part(1, 2)],
    ['bytes=10-', 'none'],
    ['bytes=10-20', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=99999999999999999999999-', 'none'],
  ] as const) {
    assert.deepEqual(requestedRange({ range }, '"a"', 10), expected, range)
  }
})

test('no range of empty content is satisfiable', () => {
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
    assert.equal(requestedRange({ range }, '"a"', 0), 'none', range)
  }
})

test('Range is ignored unless it is a single byte range', () => {
  for (const range of ['', 'bytes', 'bytes=', 'bytes=-', 'bytes=5-3', 'bytes=a-b', 'items=0-1']) {
    assert.equal(requestedRange({ range }, '"a"', 10), undefined, range)
  }
  for (const range of ['bytes=0-1,3-4', 'bytes=0-1,', 'bytes=0.5-1', 'bytes=--1', 'bytes=0x1-2']) {
    assert.equal(requestedRange({ range }, '"a"', 10), undefined, range)
  }
})

test('Range is ignored unless If-Range matches exactly', () => {
  const range = 'bytes=3-5'
  assert.deepEqual(requestedRange({ range, 'if-range': '"a"' }, '"a"', 10), part(3, 3))
  for (const other of ['"b"', 'W/"a"', 'Sat, 21 Nov 2026 00:00:00 GMT', '']) {
    assert.equal(requestedRange({ range, 'if-range': other }, '"a"', 10), undefined, other)
  }
})

test('Accept requests bytes only if it lists types and none of them matches JSON', () => {
  for (const accept of [
    'image/*',
    'image/png, text/html;q=0.5',
    'application/octet-stream',
    'text/csv',
    'image/png, */*;q=0',
    'text/json-ish',
  ]) {
    assert.equal(wantsBytes(accept), true, accept)
  }
  for (const accept of [
    undefined,
    '',
    ',',
    '*/*',
    'application/json',
    'application/json;q=0.1, image/png',
    'text/html, application/*',
    'application/json, text/xml, application/xml, */*',
    'application/problem+json, text/plain',
    'IMAGE/PNG, APPLICATION/JSON; charset=utf-8',
    'image/png;q=0',
  ]) {
    assert.equal(wantsBytes(accept), false, accept)
  }
})

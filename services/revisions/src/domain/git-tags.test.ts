import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTags } from './git-tags.js'

test('adds tags to what the import wrote, and leaves everything else as it is', () => {
  const metadata = '{"seed":12345678901234567890,"git":{"commit":"c","tags":["v1"]},"git ":1}'
  assert.equal(
    withTags(metadata, ['v1', 'v2']),
    '{"seed":12345678901234567890,"git":{"commit":"c","tags":["v1","v2"]},"git ":1}',
  )
})

test('changes nothing if the tags are there, or if somebody has replaced the metadata', () => {
  assert.equal(withTags('{"git":{"tags":["v1","v2"]}}', ['v2']), undefined)
  for (const other of ['{}', '{"git":null}', '{"git":[]}', '{"git":{"tags":"v1"}}', '{"tags":[]}'])
    assert.equal(withTags(other, ['v1']), undefined, other)
})

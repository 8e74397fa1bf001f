import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { imageNode, imageSkipReason, installNode, repository } from './support/image/image.js'

/** What depends on the HTTP of Node.js, whose version in the image is another one. */
const files = [
  'services/kit/dist/test/canceled.test.js',
  'services/kit/dist/test/draining.test.js',
  'services/kit/dist/test/rolling.test.js',
  'services/kit/dist/test/streams.test.js',
  'gateway/dist/test/keep-alive.test.js',
  'gateway/dist/test/shutdown.test.js',
]

test('calls and connections behave the same with the Node.js of the image', {
  skip: imageSkipReason(),
}, async () => {
  await installNode()
  // Otherwise it would not be a run of its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  // In one process, because loading the modules takes longer than the tests.
  const args = [
    ...['--test', '--test-isolation=none', '--test-reporter=spec'],
    ...files.map((file) => join(repository, file)),
  ]
  const child = spawn(imageNode, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  assert.equal(code, 0, output)
  assert.match(output, /^ℹ pass [1-9]/m)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { GetPublicSettingsResponseSchema } from '@figbase/proto/identity/site'
import { createSiteReader } from './site.js'

/** A reader with a fake clock and a fake identity that responds with `answer` and counts its calls. */
function start() {
  const at = { ms: 0, calls: 0, warnings: 0, siteName: 'Lab 9', isUnavailable: false }
  const getPublicSettings = async () => {
    at.calls++
    if (at.isUnavailable) throw new ConnectError('unavailable', Code.Unavailable)
    const answer = { siteName: at.siteName, announcement: 'Closed on Friday', aiEnabled: true }
    return create(GetPublicSettingsResponseSchema, answer)
  }
  const warn = () => {
    at.warnings++
  }
  return { at, read: createSiteReader({ getPublicSettings }, { warn }, () => at.ms) }
}

test('reads from identity once a second, whatever the number of callers', async () => {
  const { at, read } = start()
  const all = await Promise.all(Array.from({ length: 20 }, () => read()))
  for (const site of all) {
    assert.deepEqual(site, { name: 'Lab 9', announcement: 'Closed on Friday', isAiEnabled: true })
  }
  at.siteName = 'Lab 10'
  at.ms = 999
  assert.equal((await read()).name, 'Lab 9')
  assert.equal(at.calls, 1)
  at.ms = 1000
  assert.equal((await read()).name, 'Lab 10')
  assert.equal(at.calls, 2)
})

test('returns the last known settings while identity is unavailable, without more calls', async () => {
  const { at, read } = start()
  at.isUnavailable = true
  assert.deepEqual(await read(), { name: 'Figbase', announcement: '', isAiEnabled: false })
  await read()
  assert.deepEqual([at.calls, at.warnings], [1, 1])
  at.isUnavailable = false
  at.ms = 1000
  assert.equal((await read()).name, 'Lab 9')
  at.isUnavailable = true
  at.ms = 2000
  assert.equal((await read()).name, 'Lab 9')
})

test('names a site without a name Figbase', async () => {
  const { at, read } = start()
  at.siteName = ''
  assert.equal((await read()).name, 'Figbase')
})

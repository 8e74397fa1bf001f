import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '@figbase/kit/net'
import { postgres15SkipReason, startPostgresServer } from '@figbase/kit/testing'
import { until } from './support/launched.js'
import { NotebookUser, withoutNotebooks } from './support/notebook-product.js'
import { startReplicated } from './support/replicated/replicated.js'

test('with two processes of compute, a notebook survives the death of the one that serves it', {
  skip: withoutNotebooks || postgres15SkipReason(),
}, async () => {
  // The one of the tests has too few connections for all processes.
  await using database = await startPostgresServer()
  const port = await freePort()
  const objects = await mkdtemp(join(tmpdir(), 'figbase-objects-'))
  await using _objects = disposable(() => rm(objects, { recursive: true, force: true }))
  await using product = await startReplicated({
    count: 1,
    counts: { compute: 2 },
    servers: { env: { DATABASE_URL: database.url, OBJECTS_DIR: objects } },
    env: {
      LOG_LEVEL: 'fatal',
      DATABASE_CONNECTIONS_MAX: '3',
      EMBEDDER: 'none',
      OCR_ENABLED: 'false',
      COMPUTE_DRIVER: 'local',
      COMPUTE_PORT: `${port}`,
      COMPUTE_PUBLIC_URL: `http://*.localhost:${port}`,
      COMPUTE_TIERS: 'tiny:1:1',
      COMPUTE_DATA_VOLUME_GB: '1',
      COMPUTE_POLL_INTERVAL: '100ms',
      COMPUTE_VOLUME_RETENTION: '0s',
    },
  })
  const ann = new NotebookUser()
  ann.url = product.url
  await ann.signUp()
  const id = await ann.launch()
  const { running_since } = await ann.reaches(id, 'running')
  const { redirect_url: address } = await ann.call('GET', `compute/instance/${id}/connect/`, 200)
  const opened = await get(address)
  assert.equal(opened.status, 303)
  const [cookie = ''] = opened.cookies
  const status = `${new URL(address).origin}/instance/${id}/api/status`
  assert.equal((await get(status, cookie)).status, 200)

  const [first, second] = product.replicas.filter(({ program }) => program.name === 'compute')
  // One of both listens; the other waits for the port.
  await first?.kill()
  await until(
    async () => (await get(status, cookie)).status === 200,
    'the other process to serve it',
  )
  await first?.start()
  await second?.kill()
  await until(async () => (await get(status, cookie)).status === 200, 'the first one to serve it')
  assert.equal((await ann.reaches(id, 'running')).running_since, running_since)
  await ann.call('POST', `compute/instance/${id}/terminate/`, 202)
  await ann.reaches(id, 'terminated')
  assert.notEqual((await get(status, cookie)).status, 200)
})

const disposable = (dispose: () => Promise<void>) => ({ [Symbol.asyncDispose]: dispose })

/** Names below `localhost` are those of this machine, also where its resolver does not say so. */
function get(url: string, cookie = ''): Promise<{ status: number; cookies: string[] }> {
  const { host, port, pathname, search } = new URL(url)
  return new Promise((resolve) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: pathname + search,
      headers: { host, ...(cookie && { cookie: cookie.split(';')[0] }) },
    })
    sent.once('error', () => resolve({ status: 0, cookies: [] }))
    sent.once('response', (response) => {
      response.resume()
      const { statusCode: status = 0, headers } = response
      resolve({ status, cookies: headers['set-cookie'] ?? [] })
    })
    sent.end()
  })
}

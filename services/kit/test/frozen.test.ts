import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Code } from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import { actAsSystem, connectPeers, lazyClient } from '../src/rpc/index.js'
import { clientInterceptor } from '../src/rpc/interceptors.js'
import { callerKeys } from './clients.js'
import { failureOf } from './failure-of.js'

test('a process that was suspended does not do the work of calls that have ended meanwhile', async () => {
  const thread = new Worker(new URL('./frozen-server.js', import.meta.url))
  const next = async () => (await once(thread, 'message'))[0] as unknown
  const url = String(await next())
  const peers = connectPeers({ revisions: [url] }, [clientInterceptor(callerKeys.peers)])
  const client = lazyClient(RevisionsService, peers.transportTo)
  await client.findExisting({ ids: ['1'] }, actAsSystem())
  const freeze = new Int32Array(new SharedArrayBuffer(4))
  thread.postMessage({ freeze })
  assert.equal(await next(), 'frozen')
  const call = () => client.findExisting({ ids: ['2'] }, { ...actAsSystem(), timeoutMs: 200 })
  const errors = await Promise.all(Array.from({ length: 5 }, () => failureOf(call())))
  for (const { code } of errors) assert.equal(code, Code.DeadlineExceeded)
  // The cancellations are sent in a later turn of the event loop.
  await sleep(50)
  Atomics.store(freeze, 0, 1)
  Atomics.notify(freeze, 0)
  await client.findExisting({ ids: ['3'] }, actAsSystem())
  thread.postMessage('stop')
  assert.equal(await next(), 2)
  await peers[Symbol.asyncDispose]()
  await once(thread, 'exit')
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Code,
  createContextValues,
  type StreamRequest,
  type StreamResponse,
} from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import { pino } from 'pino'
import { actAsSystem, system } from '../src/rpc/index.js'
import { serverInterceptor } from '../src/rpc/interceptors.js'
import { principalHeader, signPrincipal } from '../src/rpc/principal.js'
import { callerKeys } from './clients.js'
import { type Calling, callReplicas, type Handlers, startReplica } from './replica-servers.js'

type Entry = { level: number; msg: string; code?: string }

const chunk = { part: { case: 'chunk' as const, value: new Uint8Array(64 * 1024) } }

async function* endless() {
  for (;;) yield chunk
}

/** A logger, and what it has logged. */
function recorded() {
  const entries: Entry[] = []
  const write = (line: string) => void entries.push(JSON.parse(line))
  return { entries, log: pino({ level: 'debug' }, { write }) }
}

const failuresIn = (entries: Entry[]) =>
  entries.filter(({ level }) => level > (pino.levels.values.debug ?? 0))

const calls = 10
/** How long it may take until the server has noticed everything. */
const noticeMs = 500

/** Requires that no call of this work is logged as a failure. */
async function cancelAll(handlers: Handlers, work: (at: Calling) => Promise<void>) {
  const printed = mock.method(console, 'error', () => {})
  const { entries, log } = recorded()
  await using replica = await startReplica(handlers, { log })
  await using at = callReplicas([replica.url])
  await Promise.all(Array.from({ length: calls }, () => work(at)))
  await sleep(noticeMs)
  assert.deepEqual(failuresIn(entries), [])
  assert.equal(printed.mock.callCount(), 0, 'nothing is printed to the console')
  printed.mock.restore()
}

test('a canceled server stream is not logged as a failure', () =>
  cancelAll({ readData: endless }, async ({ client }) => {
    for await (const _ of client.readData({}, actAsSystem())) break
  }))

test('a response that is ready when its caller has left is not logged as a failure', () =>
  cancelAll(
    {
      async createRevision(_, { signal }) {
        await once(signal, 'abort')
        return {}
      },
    },
    async ({ client }) => {
      const hangUp = new AbortController()
      const call = client.createRevision(endless(), { ...actAsSystem(), signal: hangUp.signal })
      setTimeout(() => hangUp.abort(), 100)
      await assert.rejects(call)
    },
  ))

test('a call whose caller resets it with an error is canceled, also if its handler fails of that', () =>
  cancelAll(
    {
      async findExisting(_, { signal }) {
        await once(signal, 'abort')
        throw signal.reason
      },
    },
    async ({ client }) => {
      const hangUp = new AbortController()
      const call = client.findExisting({}, { ...actAsSystem(), signal: hangUp.signal })
      setTimeout(() => hangUp.abort(new Error('the process of the caller ends')), 100)
      await assert.rejects(call)
    },
  ))

test('a write that Node.js cancels ends the call as canceled', async () => {
  const { entries, log } = recorded()
  const service = RevisionsService
  const method = service.method.readData
  const header = new Headers({ [principalHeader]: signPrincipal(system, callerKeys.peers) })
  const { signal } = new AbortController()
  const contextValues = createContextValues()
  const request = { stream: true, service, method, header, signal, contextValues }
  const respond = async () => ({ stream: true, message: endless() }) as unknown as StreamResponse
  const answered = serverInterceptor(callerKeys, log, {})(respond)
  const { message } = (await answered(request as unknown as StreamRequest)) as StreamResponse
  const messages = message[Symbol.asyncIterator]()
  await messages.next()
  // As Node.js 24 reports it.
  const canceled = { errno: -125, code: 'ECANCELED', syscall: 'write' }
  const error = Object.assign(new Error('write ECANCELED'), canceled)
  await assert.rejects(async () => messages.throw?.(error), { code: Code.Canceled })
  assert.deepEqual(failuresIn(entries), [])
  assert.deepEqual(
    entries.map(({ msg, code }) => [msg, code]),
    [['call', 'Canceled']],
  )
})

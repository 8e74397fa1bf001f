import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actAsSystem } from '../src/rpc/index.js'
import { callReplicas, type Handlers, startReplica } from './replica-servers.js'

const callersMax = 16
const rounds = 5

test('a rolling restart loses no call', async () => {
  let begun = 0
  const waiting = new Map<string, () => void>()
  const replica = (name: string): Handlers => {
    const work = async () => {
      waiting.get(name)?.()
      await sleep(Math.random() * 10)
    }
    return {
      async findExisting({ ids }) {
        await work()
        return { ids }
      },
      async reserveShortIdPrefix() {
        begun++
        await work()
        return { prefix: 'a' }
      },
      async createRevision(parts) {
        let count = 0n
        for await (const _ of parts) count++
        begun++
        await work()
        return { revision: { id: String(count) } }
      },
    }
  }
  /** Resolves when this replica has received a call. */
  const isCalled = (name: string) =>
    new Promise<void>((resolve) => {
      waiting.set(name, resolve)
    })
  let a = await startReplica(replica('a'))
  let b = await startReplica(replica('b'))
  await using calling = callReplicas([a.url, b.url], { backoffMaxMs: 100 })
  const { client } = calling
  async function* upload() {
    for (let n = 0; n < 5; n++) {
      yield { part: { case: 'chunk' as const, value: Buffer.alloc(9) } }
      await sleep(1)
    }
  }

  let isOver = false
  let reads = 0
  let writes = 0
  const failures: unknown[] = []
  const caller = async () => {
    while (!isOver) {
      try {
        const { ids } = await client.findExisting({ ids: ['x'] }, actAsSystem())
        assert.deepEqual(ids, ['x'])
        reads++
        await client.reserveShortIdPrefix({}, actAsSystem())
        writes++
        const { revision } = await client.createRevision(upload(), actAsSystem())
        assert.equal(revision?.id, '5')
        writes++
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const callers = Array.from({ length: callersMax }, caller)
  for (let round = 0; round < rounds; round++) {
    await a[Symbol.asyncDispose]()
    a = await startReplica(replica('a'), { port: a.port })
    await isCalled('a')
    await b[Symbol.asyncDispose]()
    b = await startReplica(replica('b'), { port: b.port })
    await isCalled('b')
  }
  isOver = true
  await Promise.all(callers)
  await a[Symbol.asyncDispose]()
  await b[Symbol.asyncDispose]()
  assert.deepEqual(failures, [])
  assert.equal(begun, writes)
  // The number depends on the machine; each caller must have made calls.
  assert.ok(reads >= callersMax, `${reads} reads`)
  console.log(`${reads} reads and ${writes} writes while ${rounds * 2} replicas were replaced`)
})

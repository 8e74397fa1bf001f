import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAsSystem, denied, detailOf } from '../src/index.js'
import { failureOf } from './failure-of.js'
import { reach, topologies } from './reach.js'

const chunk = (bytes: number) => ({
  part: { case: 'chunk' as const, value: new Uint8Array(bytes) },
})

/** A promise and the function that fulfils it. */
function event() {
  let happen: () => void = () => {}
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happen: () => happen(), happened }
}

async function* endless(bytes: number, left: () => void) {
  try {
    for (;;) yield chunk(bytes)
  } finally {
    left()
  }
}

const bytesOf = async (messages: AsyncIterable<{ part: { case?: string; value?: unknown } }>) => {
  let bytes = 0
  for await (const { part } of messages) {
    if (part.case === 'chunk') bytes += (part.value as Uint8Array).length
  }
  return bytes
}

for (const topology of topologies) {
  test(`${topology}: a client stream of many chunks arrives whole`, async () => {
    await using at = await reach(topology, {
      createRevision: async (parts) => ({
        revision: { sizeBytes: BigInt(await bytesOf(parts)) },
      }),
    })
    async function* parts() {
      for (let n = 0; n < 50; n++) yield chunk(64 * 1024)
    }
    const { revision } = await at.client.createRevision(parts(), actAsSystem())
    assert.equal(revision?.sizeBytes, 50n * 65_536n)
  })

  test(`${topology}: an early refusal reaches a caller that is still sending`, async () => {
    await using at = await reach(topology, {
      createRevision: async (parts) => {
        for await (const _ of parts) throw denied('CREATE')
        return {}
      },
    })
    const left = event()
    const parts = endless(256 * 1024, left.happen)
    const error = await failureOf(at.client.createRevision(parts, actAsSystem()))
    assert.equal(error.code, Code.PermissionDenied)
    assert.equal(detailOf(error)?.error, 'permission_denied')
    await left.happened
  })

  test(`${topology}: a refusal before the first part does the same`, async () => {
    await using at = await reach(topology, {
      createRevision: async () => {
        throw denied('CREATE')
      },
    })
    const parts = endless(256 * 1024, () => {})
    const error = await failureOf(at.client.createRevision(parts, actAsSystem()))
    assert.equal(error.code, Code.PermissionDenied)
  })

  test(`${topology}: the connection serves on after a refused stream`, async () => {
    await using at = await reach(topology, {
      createRevision: async () => {
        throw denied('CREATE')
      },
      findExisting: (req) => ({ ids: req.ids }),
    })
    for (let n = 0; n < 5; n++) {
      const parts = endless(256 * 1024, () => {})
      await failureOf(at.client.createRevision(parts, actAsSystem()))
      const { ids } = await at.client.findExisting({ ids: ['a'] }, actAsSystem())
      assert.deepEqual(ids, ['a'])
    }
  })

  // What came before may look complete to the handler (Node half-closes before it resets), so a
  // client stream must say by a message of its own that it is finished.
  test(`${topology}: a client stream whose source fails never finishes, and says why`, async () => {
    const seen: (string | undefined)[] = []
    const handlerLeft = event()
    await using at = await reach(topology, {
      createRevision: async (parts) => {
        try {
          for await (const { part } of parts) seen.push(part.case)
        } finally {
          handlerLeft.happen()
        }
        return {}
      },
    })
    async function* broken() {
      yield chunk(10)
      if (seen) throw denied('CREATE')
      yield { part: { case: 'finish' as const, value: {} } }
    }
    const error = await failureOf(at.client.createRevision(broken(), actAsSystem()))
    assert.equal(error.code, Code.PermissionDenied)
    await handlerLeft.happened
    assert.ok(!seen.includes('finish'))
  })

  test(`${topology}: a server stream arrives whole`, async () => {
    await using at = await reach(topology, {
      async *readData() {
        yield { part: { case: 'object' as const, value: { id: 'a' } } }
        for (let n = 0; n < 50; n++) yield chunk(64 * 1024)
      },
    })
    assert.equal(await bytesOf(at.client.readData({}, actAsSystem())), 50 * 65_536)
  })

  test(`${topology}: leaving a server stream by break closes what its handler opened`, async () => {
    const left = event()
    const aborted = event()
    await using at = await reach(topology, {
      async *readData(_, call) {
        call.signal.addEventListener('abort', aborted.happen)
        yield* endless(64 * 1024, left.happen)
      },
    })
    for await (const _ of at.client.readData({}, actAsSystem())) break
    await left.happened
    await aborted.happened
  })

  test(`${topology}: a caller that aborts a server stream ends its handler`, async () => {
    const left = event()
    const hangUp = new AbortController()
    await using at = await reach(topology, {
      async *readData() {
        yield* endless(64 * 1024, left.happen)
      },
    })
    const read = async () => {
      for await (const _ of at.client.readData({}, { ...actAsSystem(), signal: hangUp.signal })) {
        hangUp.abort()
      }
    }
    assert.equal((await failureOf(read())).code, Code.Canceled)
    await left.happened
  })

  test(`${topology}: an error inside a server stream keeps its detail, unknown ones hide`, async () => {
    await using at = await reach(topology, {
      async *readData(req) {
        yield chunk(10)
        throw req.id ? denied('VIEW') : new Error('hunter2')
      },
    })
    const known = await failureOf(bytesOf(at.client.readData({ id: 'a' }, actAsSystem())))
    assert.equal(known.code, Code.PermissionDenied)
    assert.equal(detailOf(known)?.error, 'permission_denied')
    const unknown = await failureOf(bytesOf(at.client.readData({}, actAsSystem())))
    assert.equal(unknown.code, Code.Internal)
    assert.doesNotMatch(unknown.message, /hunter/)
  })

  test(`${topology}: a deadline ends a server stream whose handler hangs`, async () => {
    await using at = await reach(topology, {
      async *readData() {
        yield chunk(10)
        await new Promise(() => {})
      },
    })
    const call = { ...actAsSystem(), timeoutMs: 80 }
    assert.equal(
      (await failureOf(bytesOf(at.client.readData({}, call)))).code,
      Code.DeadlineExceeded,
    )
  })

  test(`${topology}: a deadline ends a client stream whose handler hangs`, async () => {
    await using at = await reach(topology, {
      createRevision: async () => await new Promise<never>(() => {}),
    })
    async function* parts() {
      yield chunk(10)
    }
    const call = at.client.createRevision(parts(), { ...actAsSystem(), timeoutMs: 80 })
    assert.equal((await failureOf(call)).code, Code.DeadlineExceeded)
  })
}

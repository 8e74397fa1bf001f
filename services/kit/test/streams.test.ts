import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { denied, detailOf } from '../src/errors/index.js'
import { actAsSystem } from '../src/rpc/index.js'
import { connect, topologies } from './clients.js'
import { failureOf } from './failure-of.js'

const chunk = (bytes: number) => ({
  part: { case: 'chunk' as const, value: new Uint8Array(bytes) },
})

/** A promise and its resolve function. */
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
  test(`${topology}: receives a client stream of many chunks`, async () => {
    await using at = await connect(topology, {
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

  test(`${topology}: delivers an early refusal to a caller that is still sending`, async () => {
    await using at = await connect(topology, {
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

  test(`${topology}: delivers a refusal before the first part`, async () => {
    await using at = await connect(topology, {
      createRevision: async () => {
        throw denied('CREATE')
      },
    })
    const parts = endless(256 * 1024, () => {})
    const error = await failureOf(at.client.createRevision(parts, actAsSystem()))
    assert.equal(error.code, Code.PermissionDenied)
  })

  test(`${topology}: the connection stays usable after a refused stream`, async () => {
    await using at = await connect(topology, {
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

  // The received part may look complete to the handler (Node half-closes before it resets), so a
  // client stream must end with an explicit message.
  test(`${topology}: a client stream with a failing source never completes, and reports the error`, async () => {
    const seen: (string | undefined)[] = []
    const handlerLeft = event()
    await using at = await connect(topology, {
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

  test(`${topology}: receives a whole server stream`, async () => {
    await using at = await connect(topology, {
      async *readData() {
        yield { part: { case: 'object' as const, value: { id: 'a' } } }
        for (let n = 0; n < 50; n++) yield chunk(64 * 1024)
      },
    })
    assert.equal(await bytesOf(at.client.readData({}, actAsSystem())), 50 * 65_536)
  })

  test(`${topology}: leaving a server stream by break ends its handler`, async () => {
    const left = event()
    const aborted = event()
    await using at = await connect(topology, {
      async *readData(_, call) {
        call.signal.addEventListener('abort', aborted.happen)
        yield* endless(64 * 1024, left.happen)
      },
    })
    for await (const _ of at.client.readData({}, actAsSystem())) break
    await left.happened
    await aborted.happened
  })

  test(`${topology}: aborting a server stream ends its handler`, async () => {
    const left = event()
    const hangUp = new AbortController()
    await using at = await connect(topology, {
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

  test(`${topology}: an error in a server stream keeps its detail, and an unknown one is hidden`, async () => {
    await using at = await connect(topology, {
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

  test(`${topology}: a deadline ends a server stream with a hanging handler`, async () => {
    await using at = await connect(topology, {
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

  test(`${topology}: a deadline ends a client stream with a hanging handler`, async () => {
    await using at = await connect(topology, {
      createRevision: async () => await new Promise<never>(() => {}),
    })
    async function* parts() {
      yield chunk(10)
    }
    const call = at.client.createRevision(parts(), { ...actAsSystem(), timeoutMs: 80 })
    assert.equal((await failureOf(call)).code, Code.DeadlineExceeded)
  })
}

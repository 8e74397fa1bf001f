import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { conflict, detailOf, invalid } from '../src/errors/index.js'
import { actAs, actAsSystem, principal, user } from '../src/rpc/index.js'
import { connect, topologies } from './clients.js'
import { failureOf } from './failure-of.js'

for (const topology of topologies) {
  test(`${topology}: returns a reply and passes the caller's principal`, async () => {
    await using at = await connect(topology, {
      findExisting: (req, call) => {
        const { username, isStaff, isSystem } = principal(call)
        return { ids: [...req.ids, username, String(isStaff), String(isSystem)] }
      },
    })
    const call = actAs(user('ann', true))
    const { ids } = await at.client.findExisting({ ids: ['µ', ''] }, call)
    assert.deepEqual(ids, ['µ', '', 'ann', 'true', 'false'])
  })

  test(`${topology}: an error keeps its code, message and typed detail`, async () => {
    await using at = await connect(topology, {
      findExisting: () => {
        throw invalid('data[2].type', 'is not a type – at all')
      },
    })
    const error = await failureOf(at.client.findExisting({}, actAsSystem()))
    assert.equal(error.code, Code.InvalidArgument)
    assert.equal(error.rawMessage, 'data[2].type: is not a type – at all')
    const detail = detailOf(error)
    assert.equal(detail?.error, 'invalid_request')
    assert.deepEqual(
      detail?.fields.map(({ field, reason }) => [field, reason]),
      [['data[2].type', 'is not a type – at all']],
    )
    assert.deepEqual([...error.metadata.keys()], [])
  })

  test(`${topology}: converts an unknown error to internal without its message`, async () => {
    await using at = await connect(topology, {
      findExisting: () => {
        throw new Error('password=hunter2', { cause: new Error('hunter3') })
      },
    })
    const error = await failureOf(at.client.findExisting({}, actAsSystem()))
    assert.equal(error.code, Code.Internal)
    assert.equal(detailOf(error)?.error, 'internal')
    assert.doesNotMatch(error.message, /hunter/)
    assert.doesNotMatch(JSON.stringify([...error.metadata]), /hunter/)
  })

  test(`${topology}: converts a known constraint violation to its error`, async () => {
    const byConstraint = { thing_key: () => conflict('duplicate_thing', 'it exists') }
    await using at = await connect(
      topology,
      {
        findExisting: (req) => {
          throw Object.assign(new Error('duplicate key'), { code: '23505', constraint: req.ids[0] })
        },
      },
      { byConstraint },
    )
    const known = await failureOf(at.client.findExisting({ ids: ['thing_key'] }, actAsSystem()))
    assert.equal(known.code, Code.AlreadyExists)
    assert.equal(detailOf(known)?.error, 'duplicate_thing')
    const unknown = await failureOf(at.client.findExisting({ ids: ['toString'] }, actAsSystem()))
    assert.equal(unknown.code, Code.Internal)
  })

  test(`${topology}: responds at the deadline and aborts the handler's signal`, async () => {
    let ended: () => void = () => {}
    const aborted = new Promise<void>((resolve) => {
      ended = resolve
    })
    await using at = await connect(topology, {
      findExisting: async (_, call) => {
        call.signal.addEventListener('abort', () => ended())
        await new Promise(() => {})
        return {}
      },
    })
    const started = performance.now()
    const call = at.client.findExisting({}, { ...actAsSystem(), timeoutMs: 80 })
    assert.equal((await failureOf(call)).code, Code.DeadlineExceeded)
    assert.ok(performance.now() - started < 2000)
    await aborted
  })

  test(`${topology}: a handler that stops with its signal also fails with deadline_exceeded`, async () => {
    await using at = await connect(topology, {
      findExisting: async (_, call) => {
        await sleep(5000, undefined, { signal: call.signal })
        return {}
      },
    })
    const call = at.client.findExisting({}, { ...actAsSystem(), timeoutMs: 80 })
    assert.equal((await failureOf(call)).code, Code.DeadlineExceeded)
  })

  test(`${topology}: a caller that aborts gets canceled, and the handler's signal fires`, async () => {
    let ended: () => void = () => {}
    const aborted = new Promise<void>((resolve) => {
      ended = resolve
    })
    let entered: () => void = () => {}
    const inside = new Promise<void>((resolve) => {
      entered = resolve
    })
    await using at = await connect(topology, {
      findExisting: async (_, call) => {
        call.signal.addEventListener('abort', () => ended())
        entered()
        await new Promise(() => {})
        return {}
      },
    })
    const hangUp = new AbortController()
    const call = at.client.findExisting({}, { ...actAsSystem(), signal: hangUp.signal })
    const failed = failureOf(call)
    await inside
    hangUp.abort()
    assert.equal((await failed).code, Code.Canceled)
    await aborted
  })

  test(`${topology}: an RPC without implementation is unimplemented`, async () => {
    await using at = await connect(topology, {})
    const error = await failureOf(at.client.findExisting({}, actAsSystem()))
    assert.equal(error.code, Code.Unimplemented)
  })

  test(`${topology}: a call without a principal is an internal error`, async () => {
    await using at = await connect(topology, { findExisting: () => ({}) })
    await assert.rejects(at.client.findExisting({}), ConnectError)
  })
}

for (const topology of ['isolated', 'http2'] as const) {
  test(`${topology}: rejects a request that cannot be serialized`, async () => {
    await using at = await connect(topology, { readThumbnail: () => ({}) })
    const error = await failureOf(at.client.readThumbnail({ sizePx: 2 ** 40 }, actAsSystem()))
    assert.equal(error.code, Code.Internal)
  })

  test(`${topology}: rejects a reply that cannot be serialized`, async () => {
    await using at = await connect(topology, {
      getRevision: () => ({ revision: { revisionIndex: 0.5 } }),
    })
    const error = await failureOf(at.client.getRevision({}, actAsSystem()))
    assert.equal(error.code, Code.Internal)
  })

  test(`${topology}: rejects a message over the size limit`, async () => {
    const png = new Uint8Array(9 * 2 ** 20)
    await using at = await connect(topology, {
      readThumbnail: () => ({ png }),
      findExisting: () => ({}),
    })
    const reply = await failureOf(at.client.readThumbnail({}, actAsSystem()))
    assert.equal(reply.code, Code.ResourceExhausted)
    const ids = ['x'.repeat(9 * 2 ** 20)]
    const request = await failureOf(at.client.findExisting({ ids }, actAsSystem()))
    assert.equal(request.code, Code.ResourceExhausted)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code } from '@connectrpc/connect'
import { denied, detailOf, tooMany } from '../src/errors/index.js'
import {
  actAs,
  callerAddress,
  forward,
  forwardDetached,
  onlyWorkspace,
  principal,
  user,
} from '../src/rpc/index.js'
import { userWithKey } from '../src/testing/index.js'
import { connect, topologies } from './clients.js'
import { failureOf } from './failure-of.js'

for (const topology of topologies) {
  test(`${topology}: a forwarded call has the caller's principal and returns errors`, async () => {
    await using behind = await connect(topology, {
      findExisting: ({ ids }, call) => {
        if (ids.length > 0) throw denied('VIEW')
        return { ids: [principal(call).username, onlyWorkspace(call) ?? ''] }
      },
    })
    await using front = await connect(topology, {
      findExisting: (req, call) => behind.client.findExisting(req, forward(call)),
    })
    const { ids } = await front.client.findExisting({}, actAs(user('ann')))
    assert.deepEqual(ids, ['ann', ''])
    const bound = await front.client.findExisting({}, actAs(userWithKey('ann', 'here')))
    assert.deepEqual(bound.ids, ['ann', 'here'])
    const error = await failureOf(front.client.findExisting({ ids: ['a'] }, actAs(user('ann'))))
    assert.equal(error.code, Code.PermissionDenied)
    assert.equal(detailOf(error)?.error, 'permission_denied')
  })

  test(`${topology}: passes on the retry delay, rounded up`, async () => {
    const allowance = { isExceeded: true, limit: 1, remaining: 0, resetMs: 2001 }
    await using behind = await connect(topology, {
      findExisting: () => {
        throw tooMany('too_many_failures', 'wait a while', allowance)
      },
    })
    await using front = await connect(topology, {
      findExisting: (req, call) => behind.client.findExisting(req, forward(call)),
    })
    const error = await failureOf(front.client.findExisting({}, actAs(user('ann'))))
    assert.equal(error.code, Code.ResourceExhausted)
    assert.equal(detailOf(error)?.error, 'too_many_failures')
    assert.equal(detailOf(error)?.retryAfterSeconds, 3)
  })

  test(`${topology}: passes on the client's address`, async () => {
    await using behind = await connect(topology, {
      findExisting: (_, call) => ({ ids: [callerAddress(call)] }),
    })
    await using front = await connect(topology, {
      findExisting: async (req, call) => {
        const { ids } = await behind.client.findExisting(req, forward(call))
        const detached = await behind.client.findExisting(req, forwardDetached(call))
        return { ids: [...ids, ...detached.ids] }
      },
    })
    const { ids } = await front.client.findExisting({}, actAs(user('ann'), '', '192.0.2.1'))
    assert.deepEqual(ids, ['192.0.2.1', '192.0.2.1'])
    const unknown = await front.client.findExisting({}, actAs(user('ann')))
    assert.deepEqual(unknown.ids, ['', ''])
  })

  test(`${topology}: reduces the deadline with each hop`, async () => {
    const left: number[] = []
    const note = async (timeoutMs: number | undefined) => {
      left.push(timeoutMs ?? Number.POSITIVE_INFINITY)
      await sleep(30)
    }
    await using last = await connect(topology, {
      findExisting: async (_, call) => {
        await note(call.timeoutMs())
        return {}
      },
    })
    await using middle = await connect(topology, {
      findExisting: async (req, call) => {
        await note(call.timeoutMs())
        return last.client.findExisting(req, forward(call))
      },
    })
    await using front = await connect(topology, {
      findExisting: async (req, call) => {
        await note(call.timeoutMs())
        return middle.client.findExisting(req, forward(call))
      },
    })
    await front.client.findExisting({}, { ...actAs(user('ann')), timeoutMs: 5000 })
    const [first = 0, second = 0, third = 0] = left
    assert.ok(first <= 5000 && second <= first - 25 && third <= second - 25, String(left))
  })

  test(`${topology}: a forwarded call ends with the caller's call, a detached one does not`, async () => {
    const seen: string[] = []
    let bothEnded: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      bothEnded = resolve
    })
    await using behind = await connect(topology, {
      findExisting: async ({ ids }, call) => {
        const [id = ''] = ids
        const aborted = await sleep(400, 'waited', { signal: call.signal }).catch(() => 'aborted')
        if (seen.push(`${id} ${aborted}`) === 2) bothEnded()
        return {}
      },
    })
    await using front = await connect(topology, {
      findExisting: async (_, call) => {
        const detached = behind.client.findExisting({ ids: ['detached'] }, forwardDetached(call))
        const inherited = behind.client.findExisting({ ids: ['forwarded'] }, forward(call))
        await Promise.allSettled([detached, inherited])
        return {}
      },
    })
    const call = { ...actAs(user('ann')), timeoutMs: 150 }
    const error = await failureOf(front.client.findExisting({}, call))
    assert.equal(error.code, Code.DeadlineExceeded)
    await ended
    assert.deepEqual(seen.sort(), ['detached waited', 'forwarded aborted'])
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createFigbase, events, FigbaseError } from '../src/index.js'
import { startFake } from './fake-server.js'

const stream = { 'content-type': 'text/event-stream' }
const event = (id: string) =>
  `id: ${id}\nevent: begun\ndata: ${JSON.stringify({ has_gap: false })}\n\n`

test('goes on after the last event when a connection ends', async () => {
  await using server = await startFake(
    { headers: stream, text: `${event('1')}:\n\n${event('2')}` },
    (_, response) => {
      response.writeHead(200, stream).write(event('3'), () => response.destroy())
      return undefined
    },
    { headers: stream, text: event('4') },
  )
  const figbase = createFigbase({ url: server.url })
  const ids: string[] = []
  for await (const { id } of events(figbase, { after: '0' })) {
    ids.push(id)
    if (ids.length === 4) break
  }
  assert.deepEqual(ids, ['1', '2', '3', '4'])
  assert.deepEqual(
    server.seen.map(({ headers }) => headers['last-event-id']),
    ['0', '2', '3'],
  )
})

test('ends with a permanent error, and with the reason of the signal', async () => {
  const refused = { status: 401, json: { error: 'unauthenticated', code: 'not_authenticated' } }
  await using server = await startFake(refused)
  const read = async (signal?: AbortSignal) => {
    const figbase = createFigbase({ url: server.url })
    for await (const _ of events(figbase, { signal })) assert.fail('there is no event')
  }
  await assert.rejects(read(), (error) => error instanceof FigbaseError && error.status === 401)
  await assert.rejects(read(AbortSignal.abort('stop')), (error) => error === 'stop')
})

test('a reader that leaves closes the connection', async () => {
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  await using server = await startFake((_, response) => {
    response.writeHead(200, stream).write(event('1'))
    response.once('close', close)
    return undefined
  })
  for await (const _ of events(createFigbase({ url: server.url }))) break
  await closed
})

test('the signal ends a stream that has been open for long', async () => {
  await using server = await startFake((_, response) => {
    response.writeHead(200, stream).write(event('1'))
    return undefined
  })
  const stop = new AbortController()
  const received = events(createFigbase({ url: server.url }), { signal: stop.signal })
  assert.equal((await received.next()).value?.id, '1')
  const next = received.next()
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    await delay(20)
  }
  stop.abort('enough')
  await assert.rejects(next, (error) => error === 'enough')
})

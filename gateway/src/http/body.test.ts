import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { checkTexts, readBody } from './body.js'
import { createBodyReader } from './body-reader.js'

const limits = { bytesMax: 2 ** 20, depthMax: 100, valuesMax: 50_000 }

/** Sends a body to a new server and reads it there. */
async function received(text: string, kind: 'json' | 'form' = 'json') {
  const bodyReader = createBodyReader({ idleMs: 5000, bytesPerSecondMin: 1, windowMs: 5000 })
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', method: 'POST' }).end(text)
  const answered = once(sent, 'response')
  const [req, res] = await once(server, 'request')
  try {
    return await readBody(req, kind, { ...limits, bodyReader })
  } finally {
    res.end()
    const [answer] = await answered
    answer.resume()
    sent.destroy()
    server.close()
    server.closeAllConnections()
    bodyReader.stop()
  }
}

const mebibyte = (part: string, last: string) =>
  `[${part.repeat((2 ** 20 - last.length - 2) / part.length)}${last}]`

test('does not parse bodies that are too expensive', async (t) => {
  const parse = t.mock.method(JSON, 'parse')
  const isParsed = (body: string) => parse.mock.calls.some((call) => call.arguments[0] === body)
  for (const [body, message] of [
    ['['.repeat(2 ** 20), /nested more than 100/],
    [`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, /nested more than 100/],
    [mebibyte('[],', '0'), /more than 50000 values/],
    [mebibyte('{"":0},', '0'), /more than 50000 values/],
    [mebibyte(`${'['.repeat(98)}${']'.repeat(98)},`, '0'), /more than 50000 values/],
    [`{${Array.from({ length: 60_000 }, (_, n) => `"${n}":0`)}}`, /more than 50000 values/],
  ] as const) {
    await assert.rejects(received(body), message)
    assert.ok(!isParsed(body))
  }
  assert.deepEqual((await received('{"a": [1]}')).value, { a: [1] })
  assert.ok(isParsed('{"a": [1]}'))
})

test('checks texts only if they contain suspicious escapes', async (t) => {
  const keysOf = t.mock.method(Object, 'keys')
  for (const [body, isWalked] of [
    ['{"a": {"b": "c \\n \\"é\\" \\u00e9 😀"}}', false],
    ['{"a": {"b": "\\ud83d\\ude00"}}', true],
  ] as const) {
    const read = await received(body)
    keysOf.mock.resetCalls()
    checkTexts(read)
    assert.equal(keysOf.mock.callCount() > 0, isWalked, body)
  }
})

test('finds text that cannot be stored in any notation', async () => {
  for (const [body, kind] of [
    ['{"a": "\\u0000"}', 'json'],
    ['{"a": "\\uD800"}', 'json'],
    ['{"a": "\\udfff"}', 'json'],
    ['{"a": "\\\\\\u0000"}', 'json'],
    ['a=%00', 'form'],
    ['a=\0', 'form'],
  ] as const) {
    const read = await received(body, kind)
    assert.throws(() => checkTexts(read), /^BodyError: a: The text contains/, body)
  }
  for (const [body, kind] of [
    ['{"a": "\\\\u0000"}', 'json'],
    ['a=%ED%A0%80', 'form'],
  ] as const) {
    checkTexts(await received(body, kind))
  }
})

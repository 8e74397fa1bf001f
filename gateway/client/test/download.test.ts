import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFigbase, download, hashOf } from '../src/index.js'
import { startFake } from './fake-server.js'

const text = 'abcdef'

test('a connection on which nothing arrives is opened again where it was', async () => {
  const headers = { etag: `"${await hashOf(text)}"`, 'content-type': 'text/plain' }
  await using server = await startFake(
    (_, response) => {
      response.writeHead(200, { ...headers, 'content-length': '6' }).write('abc')
      return undefined
    },
    { status: 206, headers: { ...headers, 'content-range': 'bytes 3-5/6' }, text: 'def' },
  )
  const figbase = createFigbase({ url: server.url })
  const { body } = await download(figbase, 'd', { silenceMsMax: 100 })
  assert.equal(await new Response(body).text(), text)
  assert.equal(server.seen[1]?.headers.range, 'bytes=3-')
})

test('bytes that are not those of the hash are an error', async () => {
  const headers = { etag: `"${await hashOf(text)}"`, 'content-length': '6' }
  await using server = await startFake({ headers, text: 'abcdeX' })
  const { body } = await download(createFigbase({ url: server.url }), 'd')
  await assert.rejects(new Response(body).text(), { error: 'hash_mismatch' })
})

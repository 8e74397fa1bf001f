import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { ada, type Bench, startBench } from './service.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">${inner}</svg>`)

/** Each level draws ten of the level below: it takes seconds. */
const slow = svg(
  Array.from({ length: 9 }, (_, n) =>
    n === 0
      ? '<rect id="g0" width="9" height="9"/>'
      : `<g id="g${n}">${`<use href="#g${n - 1}"/>`.repeat(10)}</g>`,
  ).join(''),
)

test('a caller learns in its time that a picture takes too long', async () => {
  const render = (image: Buffer, timeoutMs: number) =>
    bench.client.renderPicture({ image }, { ...ada, timeoutMs })
  const { png } = await render(svg('<rect width="9" height="9"/>'), 30_000)
  assert.ok(png.length > 0)
  await assert.rejects(render(slow, 1000), (error: unknown) => {
    const { code, rawMessage } = ConnectError.from(error)
    assert.deepEqual(
      [code, rawMessage],
      [Code.InvalidArgument, 'image: processing the image timed out'],
    )
    return true
  })
})

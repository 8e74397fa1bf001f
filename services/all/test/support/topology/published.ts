import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Author, pixels, program } from '../author.js'
import { Bench, type Launched, until } from '../launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

/** Starts an upload and leaves it unfinished; resolves when its bytes are being stored. */
async function hang({ launched, token }: Author, figure: string): Promise<void> {
  const { hostname, port } = new URL(launched.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = `{"figure": "${figure}", "data": [{"type": "file", "data": "${'A'.repeat(2 ** 20)}`
  socket.write(
    [
      'POST /api/v1.4.1/revision/ HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Content-Length: 99999999',
      '',
      head,
    ].join('\r\n'),
  )
  await until(async () => (await unfinished(launched)).length > 0, 'the upload to begin')
}

async function unfinished({ options }: Launched): Promise<string[]> {
  const incoming = join(options.dataDir, 'objects', '.incoming')
  const files = await readdir(incoming, { recursive: true, withFileTypes: true }).catch(() => [])
  return files.filter((file) => file.isFile()).map((file) => file.name)
}

const crash = async (launched: Launched) => {
  launched.child.kill('SIGKILL')
  await launched.ended
}

export function testPublished(args: string[]): void {
  const topology = args[0] ?? 'all-in-one'

  test(`${topology}: published data survives a restart and kill -9`, async () => {
    const options = { dataDir: await bench.dir(), args, env: { LOG_LEVEL: 'error' } }
    const author = new Author(await bench.start(options))
    await author.signUp()
    const figure = await author.newFigure()
    const first = await author.publish(figure)
    await author.isIntact(first)

    assert.equal(await author.launched.stop(), 0)
    author.launched = await bench.start(options)
    await author.isIntact(first)

    const published = await Promise.all(Array.from({ length: 8 }, () => author.publish(figure)))
    await hang(author, figure)
    await crash(author.launched)
    author.launched = await bench.start(options)
    for (const revision of [first, ...published]) await author.isIntact(revision)
    const { size_bytes, revisions } = await author.json<{
      size_bytes: number
      revisions: { revision_index: number }[]
    }>('GET', `figure/${figure}/`)
    const each = Buffer.from(pixels, 'base64').length + 50_000
    assert.equal(size_bytes, 9 * each)
    assert.deepEqual(
      revisions.map((revision) => revision.revision_index),
      [0, 1, 2, 3, 4, 5, 6, 7, 8],
    )
    await until(
      async () => (await unfinished(author.launched)).length === 0,
      'the staging files to be deleted',
    )
    assert.equal(await author.launched.stop(), 0)
  })
}

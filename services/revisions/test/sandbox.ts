import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ada, image, publish, startBench, type TestObject, type, until } from './service.js'
import { textJobsDone, textsOf } from './texts.js'

/** The contents of a file and a URL that must not be read. */
export const canary = 'CANARYWORD'

export type Outcome = { id: string; isShown: boolean; reasons: string[]; texts: string[] }

/** A service for hostile files, with a file and a URL that must not be read. */
export async function startSandbox() {
  const bench = await startBench('local', {
    IMAGE_TIMEOUT: '2s',
    TEXT_TIMEOUT: '5s',
    IMAGE_PIXELS_MAX: '20000000',
    RENDER_MEMORY_BYTES_MAX: '400MiB',
    TEXT_SOURCE_BYTES_MAX: '8MiB',
  })
  const folder = await mkdtemp(join(tmpdir(), 'figbase-canary-'))
  await writeFile(join(folder, 'canary'), canary)
  let requests = 0
  const server = createServer((_, res) => {
    requests++
    res.end(canary)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const inFolder = (name: string) => join(folder, name)

  async function outcome(id: string): Promise<Outcome> {
    const { revision } = await bench.client.getRevision({ id, type }, ada)
    assert.equal(revision?.isProcessing, false)
    const failures = await bench.query<{ reason: string }>(
      'select reason from processing_failure where revision_id = $1',
      [id],
    )
    return {
      id,
      isShown: revision.hasThumbnail,
      reasons: failures.map(({ reason }) => reason),
      texts: (await textsOf(bench, id)).map(([, text]) => text),
    }
  }

  /** Publishes each object as a revision, and returns the outcomes when no job is left. */
  async function outcomes(objects: TestObject[]): Promise<Outcome[]> {
    const ids: string[] = []
    for (const object of objects) ids.push((await publish(bench, [object])).id)
    await until(async () => (await textJobsDone(bench)).length === 0, 100)
    return Promise.all(ids.map(outcome))
  }

  return {
    bench,
    inFolder,
    /** Where the canary is. */
    places: [`http://127.0.0.1:${port}/canary`, `file://${inFolder('canary')}`, inFolder('canary')],
    outcomes,
    pictures: (format: string, all: (Buffer | string)[]) =>
      outcomes(all.map((bytes) => image(Buffer.from(bytes), { format }))),
    /** The requests to the URL. */
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.close()
      await bench[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

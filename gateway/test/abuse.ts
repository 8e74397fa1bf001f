import assert from 'node:assert/strict'
import { conflict } from '@figbase/kit/errors'
import { CatalogService } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { RevisionsService } from '@figbase/proto/revisions'
import { startEdge } from './start-edge.js'
import { dial, type Wire } from './wire.js'

export const downloadBytes = 2 ** 30

/** Starts a gateway with short limits and fake services that record what they receive. */
export async function startAbused(env: Record<string, string> = {}) {
  const seen = { uploadsEnded: 0, sentBytes: 0, downloadsEnded: 0 }
  const limits = {
    BODY_IDLE_TIMEOUT: '1s',
    BODY_RATE_WINDOW: '600ms',
    BODY_BYTES_PER_SECOND_MIN: '200B',
    UPLOAD_OBJECTS_MAX: '1000',
    ...env,
  }
  const edge = await startEdge((router) => {
    router.service(IdentityService, {
      issueToken: () => ({ tokens: { access: 'a', refresh: 'r' } }),
    })
    router.service(CatalogService, { checkAccess: () => ({}) })
    router.service(RevisionsService, {
      async createRevision(parts) {
        let bytes = 0
        try {
          for await (const { part } of parts) if (part.case === 'chunk') bytes += part.value.length
        } finally {
          seen.uploadsEnded++
        }
        throw conflict('received', `${bytes} bytes`)
      },
      async *readData({ length }, { signal }) {
        const object = { id: 'x', type: 5, sizeBytes: BigInt(downloadBytes), hash: '' }
        yield { part: { case: 'object' as const, value: object } }
        if (length === 0n) return
        signal.addEventListener('abort', () => seen.downloadsEnded++)
        for (; seen.sentBytes < downloadBytes; seen.sentBytes += 65_536) {
          yield { part: { case: 'chunk' as const, value: new Uint8Array(65_536) } }
        }
      },
    })
  }, limits)
  return { ...edge, seen, [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose]() }
}

/** Checks that other clients are served. `connections.long.test.ts` measures how fast, on an idle machine. */
export async function answersOthers(port: number): Promise<void> {
  const started = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/info/`, {
    headers: { connection: 'close' },
  })
  assert.equal(response.status, 200)
  await response.arrayBuffer()
  const ms = performance.now() - started
  assert.ok(ms < 15_000, `another request took ${Math.round(ms)} ms`)
}

/** Runs `attack` on a new connection, and checks meanwhile that other clients are served. */
export async function attacked(port: number, attack: (wire: Wire) => Promise<void> | void) {
  const wire = await dial(port)
  try {
    const attacking = attack(wire)
    await answersOthers(port)
    await attacking
    return await wire.answer()
  } finally {
    wire.socket.destroy()
  }
}

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { conflict, exhausted, notFound } from '@figbase/kit/errors'
import { CatalogService } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { SiteService } from '@figbase/proto/identity/site'
import { RevisionsService } from '@figbase/proto/revisions'
import type { MixedReport } from './mixed-requests.js'
import { startEdge } from './start-edge.js'

/** Some of the bodies exceed this limit. */
const limits = {
  JSON_BODY_BYTES_MAX: '64KiB',
  UPLOAD_BODY_BYTES_MAX: '512KiB',
  UPLOAD_BYTES_MAX: '512KiB',
  REQUESTS_PER_MINUTE_MAX: '300',
  TRUSTED_PROXIES: '127.0.0.1',
}

/** Starts a gateway with fake services that accept everything or reject it as too large. */
function startMixed() {
  let signIns = 0
  return startEdge((router) => {
    router.service(IdentityService, {
      issueToken: () => {
        if (signIns++ % 10 === 0) throw exhausted('busy', 'wait a minute')
        return { tokens: { access: 'a', refresh: 'r' } }
      },
      getUser: () => ({ user: { username: 'ann', dateJoined: { seconds: 1n, nanos: 0 } } }),
    })
    router.service(SignInService, { getProvider: () => ({}) })
    router.service(SiteService, { getPublicSettings: () => ({}) })
    router.service(CatalogService, {
      checkAccess: () => ({}),
      listNodes: () => ({ nodes: [] }),
      getNode: () => {
        throw notFound('the figure')
      },
      deleteNode: () => {
        throw notFound('the figure')
      },
    })
    router.service(RevisionsService, {
      async createRevision(parts) {
        let bytes = 0
        for await (const { part } of parts) if (part.case === 'chunk') bytes += part.value.length
        throw conflict('received', `${bytes} bytes`)
      },
      async *readData() {
        const object = { id: 'x', type: 5, sizeBytes: 200_000n, hash: '' }
        yield { part: { case: 'object' as const, value: object } }
        yield { part: { case: 'chunk' as const, value: new Uint8Array(200_000) } }
      },
      getUpload: ({ id }) => ({ upload: { id, offsetBytes: 0n, lengthBytes: 200_000n } }),
      async appendUpload(messages) {
        let bytes = 0
        for await (const { part } of messages) {
          if (part.case === 'chunk') bytes += part.value.length
          if (bytes > 200_000) throw conflict('too_long', 'larger than declared')
        }
        return { upload: { offsetBytes: BigInt(bytes), lengthBytes: 200_000n } }
      },
    })
  }, limits)
}

/** Sends mixed requests, valid and invalid, with and without unread bodies, and returns what the client observed. */
export async function sendMixed(count: number, seed: number): Promise<MixedReport> {
  await using edge = await startMixed()
  const args = [edge.port, count, seed].map(String)
  const child = fork(new URL('mixed-requests.js', import.meta.url), args)
  try {
    const [report] = (await once(child, 'message')) as [MixedReport]
    return report
  } finally {
    child.kill()
  }
}

export function checkMixed(report: MixedReport): void {
  assert.deepEqual(report.resets.slice(0, 20), [])
  assert.deepEqual(report.unexpectedEnds.slice(0, 20), [])
  assert.deepEqual(report.failures.slice(0, 20), [])
  for (const status of [200, 204, 400, 401, 404, 405, 409, 413, 415, 429]) {
    assert.ok(report.statuses[status], `there was no ${status}`)
  }
}

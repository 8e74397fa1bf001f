import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { failure, unavailable } from '@figbase/kit/errors'
import { RevisionsService } from '@figbase/proto/revisions'
import { RevisionState, SearchService } from '@figbase/proto/search'
import { authorization, startEdge } from './start-edge.js'

const id = randomUUID()
const version = 3
const createdOn = { seconds: 1_790_000_000n }
const segments = ['revision', 'asset_revision']

/** Starts a gateway with a processed revision that has two texts, and a search service that answers like this. */
const start = (getRevisionState: () => Promise<{ state: RevisionState }>) =>
  startEdge((router) => {
    router.service(RevisionsService, {
      getRevision: () => ({
        revision: { id, version, createdOn },
        processing: { isPending: false, texts: 2 },
      }),
    })
    router.service(SearchService, { getRevisionState })
  })

const read = ({ url }: { url: string }, segment: string) =>
  fetch(`${url}/api/v1.4.1/${segment}/${id}/status/`, { headers: authorization() })

const silence = () => new Promise<never>(() => {})
const failing = (error: Error) => async () => {
  throw error
}

for (const [what, answer] of [
  ['is unavailable', failing(unavailable('no database'))],
  ['does not respond', silence],
] as const) {
  test(`the status of a revision is told while search ${what}`, async () => {
    await using edge = await start(answer)
    const responses = await Promise.all(segments.map((segment) => read(edge, segment)))
    for (const response of responses) {
      assert.equal(response.status, 200)
      assert.deepEqual(await response.json(), { is_processing: false, search: null })
    }
  })
}

test('the status of a revision has the answer of search', async () => {
  await using edge = await start(async () => ({ state: RevisionState.INDEXED }))
  for (const segment of segments) {
    const body = await (await read(edge, segment)).json()
    assert.deepEqual(body, { is_processing: false, search: 'indexed' })
  }
})

test('the status of a revision does not hide other errors of search', async () => {
  await using edge = await start(failing(failure(Code.Internal, 'internal', 'wrong')))
  assert.equal((await read(edge, 'revision')).status, 500)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { authorization, startEdge } from './start-edge.js'

const paths = ['revision', 'asset_revision', 'figure', 'analysis', 'asset', 'workspace'].map(
  (segment) => `api/v1.4.1/${segment}/${randomUUID()}/thumbnail`,
)
const raw = [
  { query: '?dl=1', accept: '*/*' },
  { query: '', accept: 'image/*' },
]

const start = (isProcessing: boolean) =>
  startEdge((router) => {
    router.service(RevisionsService, {
      readThumbnail: () => ({ isProcessing }),
      readNewestThumbnail: () => ({ isProcessing }),
    })
  })

const read = ({ url }: { url: string }, path: string, accept = '*/*') =>
  fetch(`${url}/${path}`, { headers: { ...authorization(), accept } })

test('sends 202 with Retry-After and no-store while a thumbnail is not ready', async () => {
  await using edge = await start(true)
  for (const path of paths) {
    for (const { query, accept } of raw) {
      for (const size of ['', '/64']) {
        const answer = await read(edge, `${path}${size}/${query}`, accept)
        assert.equal(answer.status, 202, path)
        assert.equal(answer.headers.get('retry-after'), '1')
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.equal(answer.headers.get('etag'), null)
        const { detail } = (await answer.json()) as { detail: string }
        assert.match(detail, /not ready/)
      }
    }
  }
})

test('sends 200 with null and a detail to JSON clients while a thumbnail is not ready', async () => {
  for (const isProcessing of [true, false]) {
    await using edge = await start(isProcessing)
    for (const path of paths) {
      const answer = await read(edge, `${path}/`)
      assert.equal(answer.status, 200)
      const { thumbnail, detail } = (await answer.json()) as Record<string, unknown>
      assert.equal(thumbnail, null)
      if (isProcessing) assert.match(String(detail), /not ready/)
      else assert.equal(detail, undefined)
    }
  }
})

test('sends 404 with the reason if there is no image to render', async () => {
  await using edge = await start(false)
  for (const path of paths) {
    for (const { query, accept } of raw) {
      const answer = await read(edge, `${path}/${query}`, accept)
      assert.equal(answer.status, 404)
      const { detail } = (await answer.json()) as { detail: string }
      assert.match(detail, /^thumbnail: .*processing_error/)
    }
  }
})

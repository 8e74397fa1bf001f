import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toData } from '../src/data-objects.js'
import { createFigbase, hashOf, type UploadStore } from '../src/index.js'
import { startFake } from './fake-server.js'

const source = new Uint8Array(300 * 1024).fill(7)
const objects = [{ name: 'raw.dat', type: 'file' as const, source }]

test('a large object goes on where an earlier call ended', async () => {
  const half = String(source.length / 2)
  await using server = await startFake(
    { headers: { 'upload-offset': half } },
    { status: 204, headers: { 'upload-offset': String(source.length) } },
  )
  const url = `${server.url}/api/v1.4.1/upload/u/`
  const asked: string[] = []
  const uploads: UploadStore = {
    get: (target, hash) => {
      asked.push(JSON.stringify(target), hash)
      return url
    },
    set: () => {},
  }
  const data = await toData(createFigbase(server), { figure: 'f' }, objects, { uploads })
  assert.deepEqual(asked, ['{"figure":"f"}', await hashOf(source)])
  assert.deepEqual(data, [{ name: 'raw.dat', type: 'file', metadata: {}, upload: url }])
  assert.deepEqual(
    server.seen.map(({ method, headers }) => [method, headers['upload-offset']]),
    [
      ['HEAD', undefined],
      ['PATCH', half],
    ],
  )
})

test('an upload that has expired or was used begins again, and is kept', async () => {
  await using server = await startFake(
    { status: 410, json: { error: 'gone' } },
    { status: 201, headers: { location: '/api/v1.4.1/upload/new/' } },
    { status: 204, headers: { 'upload-offset': String(source.length) } },
  )
  const kept: string[] = []
  const uploads: UploadStore = {
    get: () => `${server.url}/api/v1.4.1/upload/old/`,
    set: (_, __, url) => kept.push(url),
  }
  await toData(createFigbase(server), { figure: 'f' }, objects, { uploads })
  assert.deepEqual(kept, [`${server.url}/api/v1.4.1/upload/new/`])
})

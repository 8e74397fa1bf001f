import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { blake3 } from 'hash-wasm'
import { bytesOf } from '../src/figbase.js'
import { png, samples } from '../src/images.js'
import {
  at,
  base64,
  newAsset,
  newPlace,
  type Place,
  publish,
  publishAsset,
} from '../src/publish.js'
import type { DataObject, DataToSend } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

/** The data that clients send for each type, both text and binary. */
function ofEachType(): DataToSend[] {
  const [sample] = samples(1)
  const parquet = Buffer.concat([Buffer.from('PAR1'), png(30, 30), Buffer.from('PAR1')])
  const local = () => ({ local_id: crypto.randomUUID() })
  const one = (type: string, name: string | null, bytes: Uint8Array, metadata: unknown) => ({
    type,
    name,
    data: base64(bytes),
    metadata,
  })
  return [
    one('image', 'figure', sample?.png ?? png(50, 50), {
      ...local(),
      format: 'png',
      is_watermarked: true,
    }),
    one('image', 'figure', sample?.svg ?? png(1, 1), { format: 'SVG', is_watermarked: false }),
    one('image', 'figure', Buffer.from('updated'), { format: 'png', is_watermarked: false }),
    one('code', 'cell', sample?.code ?? Buffer.from('x'), { language: 'Python', format: 'text' }),
    one('code', 'Größe 😀', Buffer.from('print("ü")'), { language: 'R', format: null }),
    one('text', 'clean_room_manifest', Buffer.from('{"a": NaN}'), {
      format: 'json',
      role: 'manifest',
    }),
    one('dataframe', 'x', Buffer.from('a,b\n1,2\n'), { format: 'csv', encoding: 'utf-8' }),
    one('dataframe', 'y', parquet, { format: 'parquet', plot: { width: null, ä: [] } }),
    one('file', null, Buffer.from([0, 255, 0, 13, 10, 26]), { path: null }),
    one('file', 'empty.bin', Buffer.alloc(0), []),
  ]
}

/** Compares the returned data, with and without bytes, with the data sent. */
async function assertSame(sent: DataToSend[], { data }: { data?: DataObject[] | null }) {
  assert.equal(data?.length, sent.length)
  for (const [index, one] of sent.entries()) {
    const shallow: DataObject = at(data, index)
    const bytes = Buffer.from(one.data ?? '', 'base64')
    assert.deepEqual(
      [shallow.type, shallow.name, shallow.metadata, shallow.size_bytes, shallow.hash],
      [one.type, one.name, one.metadata, bytes.length, await blake3(bytes)],
    )
    const { body } = await alice.api.get<DataObject>(`data/${shallow.api_id}/`)
    assert.equal(body.data, one.data, `${index}: ${one.name}`)
    assert.deepEqual({ ...body, data: null }, shallow)
    assert.ok(bytes.equals(await bytesOf(alice.figbase, shallow.api_id)), `${index}: ${one.name}`)
  }
}

test('returns every type of data of figures and assets unchanged', async () => {
  const data = ofEachType()
  const { figure, workspace } = place
  await assertSame(data, await publish(alice.api, figure.api_id, data))
  const { api_id: asset } = await newAsset(alice.api, workspace.api_id)
  await assertSame(data, await publishAsset(alice.api, asset, data))
})

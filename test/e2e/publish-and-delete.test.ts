import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../src/client.js'
import { isFrom, VERSIONS, type Version } from '../src/deployment.js'
import { pngSize, samples } from '../src/images.js'
import { at, code, image, processed } from '../src/publish.js'
import { published } from '../src/published.js'
import type {
  Analysis,
  DataObject,
  Figure,
  Revision,
  Thumbnail,
  Tokens,
  User,
  Workspace,
} from '../src/resources.js'
import { newUser, signUp } from '../src/users.js'

const corpus = samples(VERSIONS.length)

for (const [i, version] of VERSIONS.entries()) {
  test(`${version}: publishes a figure, reads it back unchanged, and deletes it`, async () => {
    const sample = at(corpus, i)
    const user = newUser()
    await client(version).post<User & { auth: Tokens }>('user/', user)
    const { username, password } = user
    const { body: tokens } = await client(version).post<Tokens>(
      '/api/token/',
      { username, password },
      200,
    )
    const me = client(version, `Bearer ${tokens.access}`)
    await me.get('bootstrap/')

    const { body: workspace } = await me.post<Workspace>('workspace/', {
      name: 'Vega examples',
      description: 'Figures that others drew',
      workspace_type: 'secondary',
    })
    const { body: analysis } = await me.post<Analysis>('analysis/', {
      name: 'Gallery',
      description: '',
      workspace: workspace.api_id,
    })
    const { body: figure } = await me.post<Figure>('figure/', {
      name: sample.name,
      description: '',
      analysis: analysis.api_id,
    })
    const sent = [image(sample.png), image(sample.svg, 'svg'), code(sample.code)]
    const { body: created } = await me.post<Revision>('revision/', {
      figure: figure.api_id,
      metadata: { title: sample.name },
      is_clean_room: false,
      data: sent,
    })
    const size = sample.png.length + sample.svg.length + sample.code.length
    assert.equal(created.size_bytes, size, 'the 201 should contain the size')

    const revision = await processed(me, created.api_id)
    assert.equal(revision.figure, figure.api_id)
    assert.equal(revision.revision_index, 0)
    assert.equal(revision.data?.length, sent.length)
    for (const [i, object] of (revision.data ?? []).entries()) {
      const expected = at(sent, i)
      const { body } = await me.get<DataObject>(`data/${object.api_id}/`)
      assert.equal(body.data, expected.data, 'the bytes should be unchanged')
      assert.equal(body.type, expected.type)
      assert.equal(body.name, expected.name)
      assert.deepEqual(body.metadata, expected.metadata)
      assert.equal(object.data, isFrom(version, 'v1.2') ? null : expected.data)
    }

    const { body: small } = await me.get<Thumbnail>(`revision/${revision.api_id}/thumbnail/64/`)
    const { width, height } = pngSize(Buffer.from(small.thumbnail ?? '', 'base64'))
    assert.ok(width <= 64 && height <= 64, `${width}x${height} should fit 64 pixels`)

    await expectTree(version, me.authorization, { workspace, analysis, figure }, size)
    const gone = await me.delete(`revision/${revision.api_id}/`)
    assert.equal(gone.bytes.length, 0)
    await me.get(`revision/${revision.api_id}/`, 404)
    await expectTree(version, me.authorization, { workspace, analysis, figure }, 0)
  })
}

test('creates a thumbnail of a real figure from PNG and from SVG only', async () => {
  const sample = at(corpus, 0)
  const { figbase } = await signUp()
  for (const [name, source] of [
    ['figure.png', sample.png],
    ['figure.svg', sample.svg],
  ] as const) {
    const figure = `Vega examples/Gallery/${name}`
    const { api_id: id } = await published(figbase, { figure, image: { name, source } })
    const path = { id, size: 100 }
    const { thumbnail } = await figbase.get('/revision/{id}/thumbnail/{size}/', { path })
    const { width, height } = pngSize(Buffer.from(thumbnail ?? '', 'base64'))
    assert.ok(Math.max(width, height) <= 100, `${name}: ${width}x${height}`)
  }
})

async function expectTree(
  version: Version,
  authorization: string | undefined,
  place: { workspace: Workspace; analysis: Analysis; figure: Figure },
  size: number,
): Promise<void> {
  const me = client(version, authorization)
  const sizes = await Promise.all([
    me.get<Workspace>(`workspace/${place.workspace.api_id}/`),
    me.get<Analysis>(`analysis/${place.analysis.api_id}/`),
    me.get<Figure>(`figure/${place.figure.api_id}/`),
  ])
  assert.deepEqual(
    sizes.map(({ body }) => body.size_bytes),
    [size, size, size],
    'workspace, analysis and figure should have the exact size at once',
  )
}

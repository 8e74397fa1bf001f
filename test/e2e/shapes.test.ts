import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isFrom, VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import { at, code, image, newAnalysis, newPlace, type Place, publish } from '../src/publish.js'
import type { Analysis, DataObject, Figure, Revision, Workspace } from '../src/resources.js'
import { assertShape, SHAPES, type Shape, UNUSED_MEMBERS } from '../src/shape.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place
let revision: Revision

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  const data = [image(png(60, 40)), code(Buffer.from('plot()'))]
  revision = await publish(alice.api, place.figure.api_id, data, { metadata: { a: 1 } })
})

for (const version of VERSIONS) {
  test(`${version}: full objects contain their children, nested ones omit theirs`, async () => {
    const me = alice.at(version)
    const { body: workspace } = await me.get<Workspace>(`workspace/${place.workspace.api_id}/`)
    assertShape(workspace, SHAPES.workspace, 'workspace')
    assert.equal(workspace.entity_type, 'workspace')
    const inWorkspace = at(workspace.analyses, 0)
    assertShape(inWorkspace, SHAPES.analysisNested, 'workspace.analyses[0]')
    assert.equal(inWorkspace.api_id, place.analysis.api_id)
    assert.equal(inWorkspace.workspace, place.workspace.api_id)

    const { body: analysis } = await me.get<Analysis>(`analysis/${place.analysis.api_id}/`)
    assertShape(analysis, SHAPES.analysis, 'analysis')
    assert.equal(analysis.entity_type, 'analysis')
    const inAnalysis = at(analysis.figures, 0)
    assertShape(inAnalysis, SHAPES.figureNested, 'analysis.figures[0]')
    assert.equal(inAnalysis.analysis, place.analysis.api_id)

    const { body: figure } = await me.get<Figure>(`figure/${place.figure.api_id}/`)
    assertShape(figure, SHAPES.figure, 'figure')
    assert.equal(figure.entity_type, 'figure')
    const inFigure = at(figure.revisions, 0)
    assertShape(inFigure, SHAPES.revisionNested, 'figure.revisions[0]')
    assert.equal(inFigure.figure, place.figure.api_id)

    const { body: read } = await me.get<Revision>(`revision/${revision.api_id}/`)
    assertShape(read, SHAPES.revision, 'revision')
    assert.equal(read.entity_type, 'figure_revision')
    assert.equal(read.figure_metadata?.name, place.figure.name)
    const shape = isFrom(version, 'v1.2') ? SHAPES.dataNested : SHAPES.data
    for (const object of read.data ?? []) assertShape(object, shape, 'revision.data[]')

    const { body: object } = await me.get<DataObject>(`data/${at(read.data, 0).api_id}/`)
    assertShape(object, SHAPES.data, 'data')
    assert.deepEqual({ ...at(read.data, 0), data: null }, { ...object, data: null })

    for (const core of [workspace, analysis, figure, read]) expectBehalf(version, core)
  })

  test(`${version}: the list of workspaces is ${isFrom(version, 'v1.3') ? 'light' : 'full'}`, async () => {
    const { body: list } = await alice.at(version).get<Workspace[]>('workspace/')
    const shape: Shape = isFrom(version, 'v1.3') ? SHAPES.workspaceInList : SHAPES.workspace
    assert.ok(list.length >= 2)
    for (const workspace of list) assertShape(workspace, shape, 'list[]')
    const listed = list.find(({ api_id }) => api_id === place.workspace.api_id)
    assert.equal(listed?.name, place.workspace.name)
    if (!isFrom(version, 'v1.3')) {
      assert.equal(at(listed?.analyses, 0).api_id, place.analysis.api_id)
    }
  })

  test(`${version}: create, PUT, PATCH and GET return the same members and values`, async () => {
    const me = alice.at(version)
    const workspaceBody = { name: 'W', description: 'D', organization: null }
    const { body: workspace } = await me.post<Workspace>('workspace/', workspaceBody)
    assertShape(workspace, SHAPES.workspace, 'created workspace')
    await expectOneForm(version, 'workspace', workspace)

    const analysisBody = { name: 'A', workspace: workspace.api_id }
    const { body: analysis } = await me.post<Analysis>('analysis/', analysisBody)
    assertShape(analysis, SHAPES.analysis, 'created analysis')
    await expectOneForm(version, 'analysis', analysis)

    const figureBody = { name: 'F', analysis: analysis.api_id }
    const { body: figure } = await me.post<Figure>('figure/', figureBody)
    assertShape(figure, SHAPES.figure, 'created figure')
    assert.deepEqual(figure.revisions, [])
    await expectOneForm(version, 'figure', figure)

    const revisionBody = { figure: figure.api_id, data: [code(Buffer.from('x'))] }
    const { body: created } = await me.post<Revision>('revision/', revisionBody)
    assertShape(created, SHAPES.revision, 'created revision')
    const { body: read } = await me.get<Revision>(`revision/${created.api_id}/`)
    assert.deepEqual(Object.keys(read).sort(), Object.keys(created).sort())
    assert.deepEqual(withoutProcessing(read), withoutProcessing(created))
  })

  test(`${version}: two reads without changes return identical bytes`, async () => {
    const me = alice.at(version)
    const data = at(revision.data, 0).api_id
    for (const path of [
      'workspace/',
      'analysis/',
      'figure/',
      'revision/',
      'user/',
      'bootstrap/',
      `workspace/${place.workspace.api_id}/`,
      `analysis/${place.analysis.api_id}/`,
      `figure/${place.figure.api_id}/`,
      `revision/${revision.api_id}/`,
      `revision/${revision.api_id}/thumbnail/`,
      `data/${data}/`,
    ]) {
      assert.equal((await me.get(path)).text, (await me.get(path)).text, path)
    }
  })
}

for (const [resource, shape] of Object.entries(UNUSED_MEMBERS)) {
  test(`a ${resource} has all members of the specification`, async () => {
    const ids = { ...place, revision } as Record<string, { api_id: string }>
    const { body } = await alice.api.get<object>(`${resource}/${ids[resource]?.api_id}/`)
    assertShape(body, shape, resource)
  })
}

test('new objects have size 0 and no update times', async () => {
  const { analysis, figure } = await newPlace(alice.api)
  const { body: read } = await alice.api.get<Analysis>(`analysis/${analysis.api_id}/`)
  assert.equal(read.updated_on, null)
  for (const fresh of [analysis, figure]) {
    assert.equal(fresh.size_bytes, 0)
    assert.equal(fresh.created_by, alice.username)
    assert.equal(fresh.updated_by, null)
    assert.equal(fresh.updated_on, null)
    assert.equal(fresh.child_updated_by, null)
    assert.equal(fresh.child_updated_on, null)
  }
})

test('lists children oldest first', async () => {
  const { workspace, analysis } = await newPlace(alice.api)
  const names = ['b', 'a', 'c', 'B', 'A']
  for (const name of names) await newAnalysis(alice.api, workspace.api_id, name)
  const { body } = await alice.api.get<Workspace>(`workspace/${workspace.api_id}/`)
  assert.deepEqual(
    body.analyses?.map(({ name }) => name),
    [analysis.name, ...names],
  )
})

test('lists contain exactly the objects that the caller may view', async () => {
  const bob = await signUp()
  const otherPlace = await newPlace(bob.api)
  const published = await publish(bob.api, otherPlace.figure.api_id, [code(Buffer.from('y'))])
  const expected = { analysis: otherPlace.analysis, figure: otherPlace.figure, revision: published }
  for (const [resource, { api_id }] of Object.entries(expected)) {
    const { body: own } = await bob.api.get<{ api_id: string }[]>(`${resource}/`)
    assert.deepEqual(
      own.map((listed) => listed.api_id),
      [api_id],
      resource,
    )
    const { body: others } = await alice.api.get<{ api_id: string }[]>(`${resource}/`)
    assert.ok(others.every((listed) => listed.api_id !== api_id))
  }
})

test('shallow=true omits the children', async () => {
  const { body } = await alice.api.get<Workspace>(
    `workspace/${place.workspace.api_id}/?shallow=true`,
  )
  assertShape(body, { analyses: 'absent|null', assets: 'absent|null' }, 'shallow workspace')
})

for (const version of VERSIONS) {
  test(`${version}: shallow=true makes each read light`, async () => {
    const me = alice.at(version)
    const { body: workspaces } = await me.get<Workspace[]>('workspace/?shallow=true')
    assert.ok(workspaces.length >= 2)
    for (const workspace of workspaces) assertShape(workspace, SHAPES.workspaceInList, 'list[]')
    const path = `revision/${revision.api_id}/`
    const { body: light } = await me.get<Revision>(`${path}?shallow=true`)
    assertShape(light, SHAPES.revisionNested, 'shallow revision')
    assert.ok(!('thumbnail' in light))
    const { body: full } = await me.get<Revision>(path)
    const { data, assets, metadata, figure_metadata, thumbnail, ...rest } = full as Revision & {
      thumbnail: unknown
    }
    assert.deepEqual(light, rest)
    const object = `data/${at(revision.data, 0).api_id}/`
    const { body: bare } = await me.get<DataObject>(`${object}?shallow=true`)
    const { body: whole } = await me.get<DataObject>(object)
    assert.deepEqual(bare, { ...whole, data: null })
  })
}

async function expectOneForm(
  version: (typeof VERSIONS)[number],
  resource: string,
  created: Workspace | Analysis | Figure,
): Promise<void> {
  const me = alice.at(version)
  const path = `${resource}/${created.api_id}/`
  assert.deepEqual((await me.get(path)).body, created, 'GET after the create')
  const put = (await me.put<Workspace>(path, { name: 'renamed' })).body
  assert.deepEqual((await me.get(path)).body, put, 'GET after the PUT')
  const patched = (await me.patch<Workspace>(path, { description: 'described' })).body
  assert.deepEqual((await me.get(path)).body, patched, 'GET after the PATCH')
  assert.deepEqual(Object.keys(put), Object.keys(created))
  assert.deepEqual(Object.keys(patched), Object.keys(created))
  assert.equal(patched.name, 'renamed')
  assert.equal(patched.description, 'described')
  assert.equal(patched.updated_by, alice.username)
}

function expectBehalf(version: (typeof VERSIONS)[number], core: object): void {
  const since = isFrom(version, 'v1.3')
  const shape = {
    created_on_behalf: since ? 'null|string|boolean' : 'absent',
    created_on_behalf_name: since ? 'null|string' : 'absent',
    created_on_behalf_email: since ? 'null|string' : 'absent',
  }
  assertShape(core, shape, `${version} object`)
}

/** Members that processing may change between the 201 and a read. */
function withoutProcessing(revision: Revision) {
  return {
    ...revision,
    is_processing: undefined,
    thumbnail: undefined,
    image_hash: undefined,
  }
}

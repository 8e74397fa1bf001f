import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Author, type Created, pixels, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process at each named point of a write, and restarts it. Acknowledged writes are present; others are present
 * or absent as a whole; sizes are consistent; nothing stays pending; a repeated client_id creates no duplicate; fsck
 * finds no problems.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

type Figure = Created & { name: string; size_bytes: number; revisions: Revision[] }
type Revision = { api_id: string; size_bytes: number; is_processing: boolean }

const pointsOfSignUp = [
  ...transaction('identity'),
  ...around('identity.EnsurePrimaryWorkspace'),
  ...transaction('catalog'),
  ...around('identity.ensure-primary-workspace'),
]

const pointsOfPublish = [
  ...around('revisions.CheckAccess'),
  ...around('revisions.put', 3),
  ...around('revisions.Reserve'),
  ...around('catalog.write', 2),
  ...around('revisions.write'),
  ...around('revisions.Activate'),
  ...around('revisions.process-revision'),
]

const pointsOfUpdate = [
  ...around('revisions.put'),
  ...around('revisions.ReserveUpdate'),
  ...transaction('revisions'),
  ...around('revisions.ActivateUpdate'),
  ...transaction('catalog'),
  ...around('revisions.process-revision'),
]

const crashAt = createCrashAt(bench)

const newFigure = (author: Author, analysis: string) =>
  author.json<Figure>('POST', 'figure/', { name: 'before', analysis })
const read = (author: Author, id: string) => author.json<Figure>('GET', `figure/${id}/`)

for (const point of pointsOfSignUp) {
  test(`sign-up survives a kill at ${point}`, async () => {
    const user = { username: `u${randomUUID()}`, password: 'correct horse' }
    const signUp = (author: Author) =>
      author.request('POST', 'user/', { ...user, email: `${user.username}@example.org` })
    await crashAt(
      point,
      async () => user,
      async (author) => assert.equal((await signUp(author)).status, 201),
      async (author, _, acknowledged) => {
        const visitor = new Author(author.launched)
        const known = await visitor.signIn(user)
        assert.ok(known || !acknowledged)
        if (!known) assert.equal((await signUp(visitor)).status, 201)
        if (!known) assert.ok(await visitor.signIn(user))
        await until(
          async () => (await visitor.json<Created[]>('GET', 'workspace/')).length === 1,
          'the primary workspace',
        )
      },
    )
  })
}

for (const point of around('catalog.write')) {
  test(`creating a figure survives a kill at ${point}`, async () => {
    const name = randomUUID()
    await crashAt(
      point,
      async (_, analysis) => analysis,
      async (author, analysis) => void (await author.json('POST', 'figure/', { name, analysis })),
      async (author, analysis, acknowledged) => {
        const { figures } = await author.json<{ figures: Figure[] }>('GET', `analysis/${analysis}/`)
        const found = figures.filter((figure) => figure.name === name)
        assert.ok(found.length === 1 || (found.length === 0 && !acknowledged))
        for (const figure of found) assert.equal((await read(author, figure.api_id)).name, name)
      },
    )
  })
}

for (const point of transaction('catalog')) {
  test(`renaming a figure survives a kill at ${point}`, async () => {
    await crashAt(
      point,
      newFigure,
      async (author, { api_id }) =>
        void (await author.json('PATCH', `figure/${api_id}/`, { name: 'after' })),
      async (author, { api_id }, acknowledged) => {
        const { name } = await read(author, api_id)
        assert.ok(name === 'after' || (name === 'before' && !acknowledged), name)
      },
    )
  })

  test(`deleting a figure survives a kill at ${point}`, async () => {
    await crashAt(
      point,
      async (author, analysis) => {
        const figure = await newFigure(author, analysis)
        await author.publish(figure.api_id)
        return { figure, before: await sizeOf(author, analysis), analysis }
      },
      async (author, { figure }) =>
        void (await author.request('DELETE', `figure/${figure.api_id}/`)),
      async (author, { figure, before, analysis }, acknowledged) => {
        const { status } = await author.request('GET', `figure/${figure.api_id}/`)
        assert.ok(status === 404 || (status === 200 && !acknowledged), String(status))
        const size = Buffer.from(pixels, 'base64').length + 50_000
        assert.equal(await sizeOf(author, analysis), status === 404 ? before - size : before)
      },
    )
  })
}

/** A new analysis with a figure of this name, and a revision to derive from. */
async function newAnalysis(author: Author, name: string) {
  const { api_id: workspace } = await author.json<Created>('POST', 'workspace/', {
    name: 'W',
  })
  const place = { name: 'W', workspace }
  const { api_id: analysis } = await author.json<Created>('POST', 'analysis/', place)
  const figure = await author.json<Figure>('POST', 'figure/', { name, analysis })
  const source = await author.publish(figure.api_id)
  await author.isIntact(source)
  return { analysis, figure: figure.api_id, source: source.api_id }
}

/** Retries like a client without a response, until the revision with this id exists. */
async function retryUntilCreated(author: Author, path: string, body: { client_id: string }) {
  await until(async () => {
    const { status } = await author.request('POST', path, body)
    if (status === 201) return true
    assert.equal(status, 409)
    return (await author.request('GET', `revision/${body.client_id}/`)).status === 200
  }, 'the reservation to be settled')
}

async function noLongerProcessing(author: Author, revision: string) {
  const read = () => author.json<Revision & { figure: string }>('GET', `revision/${revision}/`)
  await until(async () => !(await read()).is_processing, 'the end of the processing')
  return read()
}

for (const point of [
  ...around('revisions.Reserve'),
  ...around('revisions.write', 2),
  ...around('revisions.Activate'),
]) {
  test(`deriving a revision survives a kill at ${point}`, async () => {
    const body = { client_id: randomUUID() }
    await crashAt(
      point,
      (author) => newAnalysis(author, 'Derived'),
      async (author, { source }) => {
        const { status } = await author.request('POST', `revision/${source}/derive/`, body)
        assert.equal(status, 201)
        await noLongerProcessing(author, body.client_id)
      },
      async (author, { source, figure }, acknowledged) => {
        const { revisions } = await read(author, figure)
        assert.ok(revisions.length === 2 || (revisions.length === 1 && !acknowledged))
        await retryUntilCreated(author, `revision/${source}/derive/`, body)
        await noLongerProcessing(author, body.client_id)
        const after = await read(author, figure)
        assert.equal(after.revisions.length, 2)
        const [one, other] = after.revisions
        assert.equal(one?.size_bytes, other?.size_bytes)
        assert.equal(after.size_bytes, 2 * (one?.size_bytes ?? 0))
        await author.isIntact(await author.json<Created>('GET', `revision/${body.client_id}/`))
      },
    )
  })
}

for (const point of [
  ...around('revisions.CreateNode'),
  ...around('revisions.Reserve'),
  ...transaction('revisions', 2),
  ...around('revisions.auto-assign'),
  ...around('revisions.write'),
  ...around('revisions.MoveRevision'),
  ...around('revisions.DeleteNode'),
]) {
  test(`assigning a revision to a figure survives a kill at ${point}`, async () => {
    let acknowledged = false
    const data = [{ name: 'known', type: 'image', data: pixels }]
    await crashAt(
      point,
      async (author) => {
        const created = await newAnalysis(author, 'Known')
        return { ...created, body: { client_id: randomUUID(), analysis: created.analysis, data } }
      },
      async (author, { body }) => {
        const { status } = await author.request('POST', 'revision/auto-assign/', body)
        acknowledged = status === 201
        await noLongerProcessing(author, body.client_id)
      },
      async (author, { analysis, figure, body }) => {
        const { status } = await author.request('GET', `revision/${body.client_id}/`)
        assert.ok(status === 200 || !acknowledged, String(status))
        await retryUntilCreated(author, 'revision/auto-assign/', body)
        assert.equal((await noLongerProcessing(author, body.client_id)).figure, figure)
        const readAnalysis = () =>
          author.json<{ figures: Figure[] }>('GET', `analysis/${analysis}/`)
        await until(
          async () => (await readAnalysis()).figures.length === 1,
          'the temporary figures to be deleted',
        )
        const { revisions, size_bytes } = await read(author, figure)
        assert.equal(revisions.length, 2)
        assert.equal(await sizeOf(author, analysis), size_bytes)
      },
    )
  })
}

async function sizeOf(author: Author, analysis: string) {
  return (await author.json<Figure>('GET', `analysis/${analysis}/`)).size_bytes
}

for (const point of pointsOfPublish) {
  test(`publishing a revision survives a kill at ${point}`, async () => {
    const clientId = randomUUID()
    await crashAt(
      point,
      newFigure,
      async (author, { api_id }) => {
        await author.publish(api_id, clientId)
      },
      async (author, { api_id }, acknowledged) => {
        const { revisions, size_bytes } = await read(author, api_id)
        assert.ok(revisions.length === 1 || (revisions.length === 0 && !acknowledged))
        if (revisions.length === 0) assert.equal(size_bytes, 0)
        await retry(author, api_id, clientId)
        const figure = await read(author, api_id)
        assert.equal(figure.revisions.length, 1)
        const [revision] = figure.revisions
        assert.equal(revision?.api_id, clientId)
        assert.equal(figure.size_bytes, revision?.size_bytes)
        await author.isIntact(await author.json<Created>('GET', `revision/${clientId}/`))
      },
    )
  })
}

for (const point of around('revisions.extract-text')) {
  test(`extracting the text of a revision survives a kill at ${point}`, async () => {
    const code = { name: 'source', type: 'code', data: Buffer.from('print(1)').toString('base64') }
    const data = [{ name: 'image', type: 'image', data: pixels }, code]
    const clientId = randomUUID()
    await crashAt(
      point,
      newFigure,
      async (author, { api_id: figure }) =>
        void (await author.json('POST', 'revision/', { figure, data, client_id: clientId })),
      async (author) => {
        await author.isIntact(await author.json<Created>('GET', `revision/${clientId}/`))
        assert.equal((await noLongerProcessing(author, clientId)).is_processing, false)
      },
    )
  })
}

for (const point of pointsOfUpdate) {
  test(`updating a revision survives a kill at ${point}`, async () => {
    const data = [{ name: 'image', type: 'image', data: pixels }]
    await crashAt(
      point,
      async (author, analysis) => {
        const figure = await newFigure(author, analysis)
        const { api_id } = await author.publish(figure.api_id)
        return { path: `revision/${api_id}/`, figure: figure.api_id, analysis }
      },
      async (author, { path }) =>
        void (await author.json('PUT', path, { data, metadata: 'after' })),
      async (author, { path, figure, analysis }, acknowledged) => {
        const revision = await author.json<Created & { metadata: unknown }>('GET', path)
        const isUpdated = revision.metadata === 'after'
        assert.ok(isUpdated || !acknowledged)
        assert.equal(revision.data.length, isUpdated ? 1 : 2)
        await author.isIntact(revision)
        const size = Buffer.from(pixels, 'base64').length + (isUpdated ? 0 : 50_000)
        await until(
          async () => (await author.json<Figure>('GET', `figure/${figure}/`)).size_bytes === size,
          'the size of the figure',
        )
        const { figures, size_bytes } = await author.json<Figure & { figures: Figure[] }>(
          'GET',
          `analysis/${analysis}/`,
        )
        assert.equal(
          size_bytes,
          figures.reduce((sum, one) => sum + one.size_bytes, 0),
        )
      },
    )
  })
}

/** Retries like a client without a response: 201, or 409 when the revision exists. */
async function retry(author: Author, figure: string, clientId: string) {
  await until(async () => {
    const { status } = await author.tryPublish(figure, clientId)
    if (status === 201) return true
    assert.equal(status, 409)
    // A reservation without a revision is settled soon.
    return (await author.request('GET', `revision/${clientId}/`)).status === 200
  }, 'the reservation to be settled')
}

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  actAs,
  anonymous,
  type Composition,
  compose,
  createFileSystemStore,
  Lifecycle,
  lazyClient,
} from '@figbase/kit'
import {
  createGrpcClient,
  createTestDatabase,
  type GrpcClient,
  grpcFailureOf,
} from '@figbase/kit/testing'
import { NodeType } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { DataType } from '@figbase/proto/revisions'
import { services } from '../src/all-in-one.js'

/** The real services in one process, and callers from outside on their one gRPC port. */
const lifecycle = new Lifecycle()
const permissionDenied = 7
const unauthenticated = 16
const source = Buffer.from('print("hello, figure")\n'.repeat(20_000))
let composition: Composition
let ann: Caller
let bob: Caller

type Caller = Record<'identity' | 'catalog' | 'revisions', GrpcClient>
type Node = { node: { id: string; name: string; sizeBytes: string } }
type Revision = { revision: { id: string; data: { id: string }[]; sizeBytes: string } }

before(async () => {
  const database = await createTestDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const dir = await mkdtemp(join(tmpdir(), 'figbase-grpc-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    ADMIN_PASSWORD_FILE: join(dir, 'admin-password'),
    LOG_LEVEL: 'fatal',
    RPC_PORT: '0',
  }
  const objects = createFileSystemStore(join(dir, 'objects'))
  composition = await compose(services, { env, objects, isolate: true })
  lifecycle.onStop(() => composition[Symbol.asyncDispose]())
  ann = await signUp('ann')
  bob = await signUp('bob')
})
after(() => lifecycle[Symbol.asyncDispose]())

async function signUp(username: string): Promise<Caller> {
  const identity = lazyClient(IdentityService, composition.transportTo)
  const email = `${username}@example.org`
  const account = { username, email, password: 'correct horse battery', firstName: 'A' }
  const { tokens } = await identity.createUser({ ...account, lastName: 'B' }, actAs(anonymous))
  return callerWith(tokens?.access)
}

function callerWith(token?: string): Caller {
  const clientOf = (name: string, service: string) => {
    const file = `figbase/${name}/v1/${name}.proto`
    const full = `figbase.${name}.v1.${service}`
    const client = createGrpcClient(composition.rpcPort ?? 0, file, full, token)
    lifecycle.onStop(() => client[Symbol.dispose]())
    return client
  }
  return {
    identity: clientOf('identity', 'IdentityService'),
    catalog: clientOf('catalog', 'CatalogService'),
    revisions: clientOf('revisions', 'RevisionsService'),
  }
}

async function createNode(type: NodeType, name: string, parentId = '') {
  const { node } = (await ann.catalog.unary('CreateNode', { type, name, parentId })) as Node
  return node.id
}

async function createFigure() {
  const workspace = await createNode(NodeType.WORKSPACE, 'Climate')
  const analysis = await createNode(NodeType.ANALYSIS, 'Temperatures', workspace)
  return { workspace, figure: await createNode(NodeType.FIGURE, 'Monthly means', analysis) }
}

function* publication(figureId: string) {
  yield { parent: { figureId } }
  for (let at = 0; at < source.length; at += 64 * 1024) {
    yield { chunk: source.subarray(at, at + 64 * 1024) }
  }
  yield { objectEnd: { name: 'source', type: DataType.CODE } }
  yield { finish: {} }
}

test('a caller from outside publishes a figure and reads it back', async () => {
  const { workspace, figure } = await createFigure()
  const reply = await ann.revisions.clientStream('CreateFigureRevision', publication(figure))
  const { revision } = reply as Revision
  assert.equal(revision.sizeBytes, String(source.length))

  const received: Buffer[] = []
  const id = revision.data[0]?.id
  for await (const message of ann.revisions.serverStream('ReadData', { id })) {
    if (message.part === 'chunk') received.push(message.chunk as Buffer)
  }
  assert.deepEqual(Buffer.concat(received), source)
  const place = { id: workspace, type: NodeType.WORKSPACE }
  const { node } = (await ann.catalog.unary('GetNode', place)) as Node
  assert.deepEqual([node.name, node.sizeBytes], ['Climate', String(source.length)])
})

test('a stranger is refused by each service that holds a part of the figure', async () => {
  const { workspace, figure } = await createFigure()
  const reply = await ann.revisions.clientStream('CreateFigureRevision', publication(figure))
  const { revision } = reply as Revision
  const read = bob.revisions.serverStream('ReadData', { id: revision.data[0]?.id })
  const refused = [
    bob.catalog.unary('GetNode', { id: workspace, type: NodeType.WORKSPACE }),
    bob.catalog.unary('DeleteNode', { id: figure, type: NodeType.FIGURE }),
    bob.revisions.unary('GetFigureRevision', { id: revision.id }),
    bob.revisions.clientStream('CreateFigureRevision', publication(figure)),
    read[Symbol.asyncIterator]().next(),
  ]
  for (const { code, error } of await Promise.all(refused.map(grpcFailureOf))) {
    assert.deepEqual([code, error], [permissionDenied, 'permission_denied'])
  }
})

test('without credentials nothing is answered, not even what REST answers', async () => {
  const nobody = callerWith()
  const refused = [
    nobody.identity.unary('CreateUser', { username: 'eve' }),
    nobody.identity.unary('IssueToken', { username: 'ann', password: 'correct horse battery' }),
    nobody.identity.unary('RefreshToken', {}),
    nobody.identity.unary('GetUser', { username: 'ann' }),
    nobody.catalog.unary('ListNodes', { type: NodeType.WORKSPACE }),
    nobody.revisions.unary('GetFigureRevision', {}),
  ]
  const failures = await Promise.all(refused.map(grpcFailureOf))
  assert.deepEqual([...new Set(failures.map((each) => each.code))], [unauthenticated])
})

test('the steps between services are closed to callers from outside', async () => {
  const { figure } = await createFigure()
  const reservation = { type: NodeType.FIGURE_REVISION, parentId: figure }
  const refused = [
    ann.catalog.unary('Reserve', reservation),
    ann.catalog.unary('Activate', { id: figure }),
    ann.catalog.unary('Abandon', { id: figure }),
    ann.catalog.unary('EnsurePrimaryWorkspace', { username: 'ann' }),
    ann.identity.unary('EnsureAdministrator', { username: 'ann' }),
    ann.revisions.unary('FindExisting', {}),
  ]
  const failures = await Promise.all(refused.map(grpcFailureOf))
  assert.deepEqual([...new Set(failures.map((each) => each.code))], [permissionDenied])
})

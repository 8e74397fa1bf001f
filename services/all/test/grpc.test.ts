import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { grpcFailureOf } from '@figbase/kit/testing/grpc'
import { NodeType } from '@figbase/proto/catalog'
import { DataType } from '@figbase/proto/revisions'
import { type Caller, createFigure, type Outside, startOutside } from './support/outside.js'

const permissionDenied = 7
const unauthenticated = 16
const source = Buffer.from('print("hello, figure")\n'.repeat(20_000))
let outside: Outside
let ann: Caller
let bob: Caller

type Node = { node: { id: string; name: string; sizeBytes: string } }
type Revision = { revision: { id: string; data: { id: string }[]; sizeBytes: string } }

before(async () => {
  outside = await startOutside()
  ann = await outside.signUp('ann')
  bob = await outside.signUp('bob')
})
after(() => outside[Symbol.asyncDispose]())

function* publication(figureId: string) {
  yield { parent: { id: figureId, type: 'NODE_TYPE_FIGURE_REVISION' } }
  for (let at = 0; at < source.length; at += 64 * 1024) {
    yield { chunk: source.subarray(at, at + 64 * 1024) }
  }
  yield { objectEnd: { name: 'source', type: DataType.CODE } }
  yield { finish: {} }
}

test('an external caller publishes a figure and reads it back', async () => {
  const { workspace, figure } = await createFigure(ann)
  const reply = await ann.revisions.clientStream('CreateRevision', publication(figure))
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

test('each service denies access to a user without permission', async () => {
  const { workspace, figure } = await createFigure(ann)
  const reply = await ann.revisions.clientStream('CreateRevision', publication(figure))
  const { revision } = reply as Revision
  const read = bob.revisions.serverStream('ReadData', { id: revision.data[0]?.id })
  const refused = [
    bob.catalog.unary('GetNode', { id: workspace, type: NodeType.WORKSPACE }),
    bob.catalog.unary('DeleteNode', { id: figure, type: NodeType.FIGURE }),
    bob.revisions.unary('GetRevision', {
      id: revision.id,
      type: 'NODE_TYPE_FIGURE_REVISION',
    }),
    bob.revisions.clientStream('CreateRevision', publication(figure)),
    read[Symbol.asyncIterator]().next(),
  ]
  for (const { code, error } of await Promise.all(refused.map(grpcFailureOf))) {
    assert.deepEqual([code, error], [permissionDenied, 'permission_denied'])
  }
})

test('enforces the access of an API key over gRPC', async () => {
  const { workspace, figure } = await createFigure(ann)
  const nobody = outside.callerWith()
  const keyFor = async (access: string) => {
    const { token } = await ann.identity.unary('CreateApiKey', { name: access, access })
    return { metadata: { authorization: `Token ${token}` } }
  }
  const read = await keyFor('API_KEY_ACCESS_READ')
  const publish = await keyFor('API_KEY_ACCESS_PUBLISH')
  const target = { id: figure, type: NodeType.FIGURE }
  await nobody.catalog.unary('GetNode', target, read)
  await nobody.catalog.unary('UpdateNode', { ...target, name: 'Renamed' }, publish)
  await nobody.revisions.clientStream('CreateRevision', publication(figure), publish)
  const container = { id: workspace, type: NodeType.WORKSPACE }
  const refused = [
    nobody.revisions.clientStream('CreateRevision', publication(figure), read),
    nobody.catalog.unary('UpdateNode', { ...target, name: 'Mine' }, read),
    nobody.catalog.unary('DeleteNode', target, read),
    nobody.catalog.unary('DeleteNode', target, publish),
    nobody.catalog.unary('AddMember', { ...container, username: 'bob', role: 2 }, publish),
    nobody.catalog.unary('SetLinkShare', { ...target, enabled: true }, publish),
  ]
  for (const { code, error } of await Promise.all(refused.map(grpcFailureOf))) {
    assert.deepEqual([code, error], [permissionDenied, 'insufficient_key_access'])
  }
})

test('an API key acts as its owner, in its workspace only, until it is deleted', async () => {
  const [here, elsewhere] = [await createFigure(ann), await createFigure(ann)]
  const request = { name: 'external', workspaceId: here.workspace }
  const { token, key } = await ann.identity.unary('CreateApiKey', request)
  const nobody = outside.callerWith()
  const metadata = { authorization: `Token ${token}` }
  const get = (id: string, type: NodeType) =>
    nobody.catalog.unary('GetNode', { id, type }, { metadata })

  await get(here.figure, NodeType.FIGURE)
  const listed = await nobody.catalog.unary('ListNodes', { type: NodeType.WORKSPACE }, { metadata })
  assert.deepEqual(
    (listed.nodes as { id: string }[]).map(({ id }) => id),
    [here.workspace],
  )
  const publishing = publication(here.figure)
  await nobody.revisions.clientStream('CreateRevision', publishing, { metadata })
  await nobody.identity.unary('GetUser', { username: 'ann' }, { metadata })

  const refused = [
    get(elsewhere.figure, NodeType.FIGURE),
    nobody.revisions.clientStream('CreateRevision', publication(elsewhere.figure), {
      metadata,
    }),
    nobody.identity.unary('CreateApiKey', { name: 'another' }, { metadata }),
    nobody.identity.unary('AuthenticateApiKey', { token }, { metadata }),
  ]
  for (const { code, error } of await Promise.all(refused.map(grpcFailureOf))) {
    assert.deepEqual([code, error], [permissionDenied, 'permission_denied'])
  }
  await ann.identity.unary('DeleteApiKey', { id: (key as { id: string }).id })
  const failure = await grpcFailureOf(get(here.figure, NodeType.FIGURE))
  assert.deepEqual([failure.code, failure.error], [unauthenticated, 'authentication_failed'])
})

test('rejects calls without credentials, also those that REST allows', async () => {
  const nobody = outside.callerWith()
  const refused = [
    nobody.identity.unary('CreateUser', { username: 'eve' }),
    nobody.identity.unary('IssueToken', { username: 'ann', password: 'correct horse battery' }),
    nobody.identity.unary('RefreshToken', {}),
    nobody.identity.unary('GetUser', { username: 'ann' }),
    nobody.catalog.unary('ListNodes', { type: NodeType.WORKSPACE }),
    nobody.revisions.unary('GetRevision', {}),
  ]
  const failures = await Promise.all(refused.map(grpcFailureOf))
  assert.deepEqual([...new Set(failures.map((each) => each.code))], [unauthenticated])
})

test('rejects external calls of internal methods', async () => {
  const { figure } = await createFigure(ann)
  const reservation = { type: NodeType.FIGURE_REVISION, parentId: figure }
  const refused = [
    ann.catalog.unary('Reserve', reservation),
    ann.catalog.unary('Activate', { id: figure }),
    ann.catalog.unary('Abandon', { id: figure }),
    ann.catalog.unary('EnsurePrimaryWorkspace', { username: 'ann' }),
    ann.identity.unary('EnsureAdministrator', { username: 'ann' }),
    ann.identity.unary('AuthenticateApiKey', { token: 'x' }),
    ann.revisions.unary('FindExisting', {}),
  ]
  const failures = await Promise.all(refused.map(grpcFailureOf))
  assert.deepEqual([...new Set(failures.map((each) => each.code))], [permissionDenied])
})

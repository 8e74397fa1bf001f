import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasOption } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { CatalogService } from '@figbase/proto/catalog'
import { PeopleService } from '@figbase/proto/catalog/people'
import { PlansService } from '@figbase/proto/catalog/plans'
import { CommentsService } from '@figbase/proto/comments'
import { ApiKeyAccess, api_key_access } from '@figbase/proto/common'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { KeyedRequestsService } from '@figbase/proto/identity/keyed-requests'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { SiteService } from '@figbase/proto/identity/site'
import { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import { RevisionsService } from '@figbase/proto/revisions'
import { TasksService } from '@figbase/proto/tasks'
import { detailOf } from '../src/errors/index.js'
import { actAs, user } from '../src/rpc/index.js'
import { accessForMethod } from '../src/rpc/key-access.js'
import { userWithKey } from '../src/testing/index.js'
import { connect, topologies } from './clients.js'
import { failureOf } from './failure-of.js'

const { READ, PUBLISH, FULL, UNSPECIFIED } = ApiKeyAccess

const services = [
  CatalogService,
  PeopleService,
  PlansService,
  CommentsService,
  IdentityService,
  AccountsService,
  SignInService,
  KeyedRequestsService,
  SiteService,
  SshKeysService,
  RevisionsService,
  TasksService,
]

test('an RPC without the option requires full access, unless it has no side effects', () => {
  const { getRevision, readData, registerStorage, checkStorage, createRevision } =
    RevisionsService.method
  const { deleteNode, addMember, setLinkShare } = CatalogService.method
  for (const method of [registerStorage, deleteNode, addMember, setLinkShare]) {
    assert.equal(accessForMethod(method), FULL)
  }
  for (const method of [getRevision, readData, checkStorage]) {
    assert.equal(accessForMethod(method), READ)
  }
  assert.equal(accessForMethod(createRevision), PUBLISH)
})

test('RPCs have the option only if it differs from the default', () => {
  const methods = services.flatMap((service) => service.methods)
  const marked = methods.filter((method) => hasOption(method, api_key_access))
  assert.ok(marked.length > 0)
  for (const method of marked) {
    const isReading = method.idempotency === Idempotency.NO_SIDE_EFFECTS
    assert.notEqual(accessForMethod(method), isReading ? READ : FULL, method.name)
  }
})

for (const topology of topologies) {
  test(`${topology}: a key can call what its access allows, and other calls reach no handler`, async () => {
    const reached: string[] = []
    await using at = await connect(topology, {
      getRevision: () => reached.push('read') && {},
      deriveRevision: () => reached.push('publish') && {},
      registerStorage: () => reached.push('full') && {},
    })
    const { client } = at
    const calls = [client.getRevision, client.deriveRevision, client.registerStorage]
    const outcomes = async (access: ApiKeyAccess) => {
      const answers: string[] = []
      for (const call of calls) {
        const answer = call({}, actAs(userWithKey('ann', '', access)))
        await answer.then(
          () => answers.push('done'),
          (error) => answers.push(`${Code[error.code]} ${detailOf(error)?.error}`),
        )
      }
      return answers
    }
    const refused = 'PermissionDenied insufficient_key_access'
    assert.deepEqual(await outcomes(READ), ['done', refused, refused])
    assert.deepEqual(await outcomes(PUBLISH), ['done', 'done', refused])
    assert.deepEqual(reached.splice(0), ['read', 'read', 'publish'])
    // From a peer of a version without key access.
    assert.deepEqual(await outcomes(UNSPECIFIED), ['done', 'done', 'done'])
    assert.deepEqual(await outcomes(FULL), ['done', 'done', 'done'])
    await client.registerStorage({}, actAs(user('ann')))

    const weak = failureOf(client.registerStorage({}, actAs(userWithKey('ann', '', READ))))
    assert.match((await weak).rawMessage, /may only read: use one with access full$/)
  })
}

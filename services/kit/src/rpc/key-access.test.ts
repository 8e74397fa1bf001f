import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ConnectError } from '@connectrpc/connect'
import { CatalogService } from '@figbase/proto/catalog'
import { PeopleService } from '@figbase/proto/catalog/people'
import { ApiKeyAccess, UsedApiKeySchema } from '@figbase/proto/common'
import { detailOf } from '../errors/errors.js'
import { accessForMethod, requireKeyAccess, requireMethodAccess } from './key-access.js'

const { READ, PUBLISH, FULL, UNSPECIFIED } = ApiKeyAccess
const withKey = (access: ApiKeyAccess) => ({ apiKey: create(UsedApiKeySchema, { access }) })
const withoutKey = { apiKey: undefined }

const publishing = CatalogService.method.createNode
const reading = CatalogService.method.getNode
const writing = CatalogService.method.deleteNode
/** Only reads, but declares full access. */
const ofStaff = PeopleService.method.listOwnedBytes

test('requires the access declared in the .proto, else READ or FULL', () => {
  assert.equal(accessForMethod(publishing), PUBLISH)
  assert.equal(accessForMethod(reading), READ)
  assert.equal(accessForMethod(writing), FULL)
  assert.equal(accessForMethod(ofStaff), FULL)
})

test('each access includes the lower ones, and a refusal names the required access', () => {
  const onlyRead = '[permission_denied] this API key may only read: use one with access'
  const full =
    '[permission_denied] this API key may only read, create and update: use one with access full'
  const cases: [has: ApiKeyAccess, needed: ApiKeyAccess, message: string | undefined][] = [
    [READ, READ, undefined],
    [READ, PUBLISH, `${onlyRead} publish or full`],
    [READ, FULL, `${onlyRead} full`],
    [PUBLISH, READ, undefined],
    [PUBLISH, PUBLISH, undefined],
    [PUBLISH, FULL, full],
    [FULL, FULL, undefined],
    // From a process of a version without key access.
    [UNSPECIFIED, FULL, undefined],
  ]
  for (const [has, needed, message] of cases) {
    const what = `${ApiKeyAccess[has]} for ${ApiKeyAccess[needed]}`
    assert.equal(
      refusal(() => requireKeyAccess(withKey(has), needed)),
      message,
      what,
    )
  }
  assert.equal(
    refusal(() => requireKeyAccess(withoutKey, FULL)),
    undefined,
  )
})

test('refuses calls beyond the access of the key', () => {
  const methods = [reading, publishing, writing, ofStaff]
  const allowed = (caller: Parameters<typeof requireMethodAccess>[0]) =>
    methods.map((method) => refusal(() => requireMethodAccess(caller, method)) === undefined)
  assert.deepEqual(allowed(withKey(READ)), [true, false, false, false])
  assert.deepEqual(allowed(withKey(PUBLISH)), [true, true, false, false])
  for (const caller of [withKey(FULL), withKey(UNSPECIFIED), withoutKey]) {
    assert.deepEqual(allowed(caller), [true, true, true, true])
  }
})

function refusal(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    assert.ok(error instanceof ConnectError)
    assert.equal(detailOf(error)?.error, 'insufficient_key_access')
    return error.message
  }
}

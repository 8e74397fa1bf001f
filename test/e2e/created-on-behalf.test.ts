import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isFrom, VERSIONS } from '../src/deployment.js'
import { newPlace } from '../src/publish.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
before(async () => {
  alice = await signUp()
})

type Made = {
  api_id: string
  created_on_behalf?: boolean
  created_on_behalf_name?: string | null
  created_on_behalf_email?: string | null
}
const onBehalfMembers = (made: Made) => [
  made.created_on_behalf,
  made.created_on_behalf_name,
  made.created_on_behalf_email,
]
const onBehalfOfGrace = {
  created_on_behalf_name: 'Grace Hopper',
  created_on_behalf_email: 'g@example.org',
}

test('staff can create objects on behalf of others; shown in all forms since v1.3', {
  skip: withoutStaff,
}, async () => {
  const staff = await signInStaff()
  const { body } = await staff.post<Made>('workspace/', {
    name: 'Made for Grace',
    ...onBehalfOfGrace,
  })
  const path = `workspace/${body.api_id}/`
  for (const version of VERSIONS) {
    const me = await signInStaff(version)
    const expected = isFrom(version, 'v1.3')
      ? [true, 'Grace Hopper', 'g@example.org']
      : [undefined, undefined, undefined]
    for (const query of ['', '?shallow=true']) {
      assert.deepEqual(onBehalfMembers((await me.get<Made>(path + query)).body), expected)
    }
  }
  await staff.delete(path)
})

test('ignores the members from all other users', async () => {
  const { body } = await alice.api.post<Made>('workspace/', { name: 'Mine', ...onBehalfOfGrace })
  assert.deepEqual(onBehalfMembers(body), [false, null, null])
  const odd = { created_on_behalf: 1, created_on_behalf_name: 5, created_on_behalf_email: [] }
  const place = await newPlace(alice.api)
  const path = `analysis/${place.analysis.api_id}/`
  assert.deepEqual(onBehalfMembers((await alice.api.put<Made>(path, odd)).body), [
    false,
    null,
    null,
  ])
})

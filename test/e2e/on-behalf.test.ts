import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isFrom, VERSIONS } from '../src/deployment.js'
import { type Person, signUp } from '../src/people.js'
import { newPlace } from '../src/publish.js'
import { signInStaff, withoutStaff } from '../src/staff.js'

let alice: Person
before(async () => {
  alice = await signUp()
})

type Made = {
  api_id: string
  created_on_behalf?: boolean
  created_on_behalf_name?: string | null
  created_on_behalf_email?: string | null
}
const told = (made: Made) => [
  made.created_on_behalf,
  made.created_on_behalf_name,
  made.created_on_behalf_email,
]
const grace = { created_on_behalf_name: 'Grace Hopper', created_on_behalf_email: 'g@example.org' }

test('staff makes objects on behalf of somebody, in every form from v1.3', {
  skip: withoutStaff,
}, async () => {
  const staff = await signInStaff()
  const { body } = await staff.post<Made>('workspace/', { name: 'Made for Grace', ...grace })
  const path = `workspace/${body.api_id}/`
  for (const version of VERSIONS) {
    const me = await signInStaff(version)
    const expected = isFrom(version, 'v1.3')
      ? [true, 'Grace Hopper', 'g@example.org']
      : [undefined, undefined, undefined]
    for (const query of ['', '?shallow=true']) {
      assert.deepEqual(told((await me.get<Made>(path + query)).body), expected)
    }
  }
  await staff.delete(path)
})

test('of everybody else it is ignored, whatever comes back', async () => {
  const { body } = await alice.api.post<Made>('workspace/', { name: 'Mine', ...grace })
  assert.deepEqual(told(body), [false, null, null])
  const odd = { created_on_behalf: 1, created_on_behalf_name: 5, created_on_behalf_email: [] }
  const place = await newPlace(alice.api)
  const path = `analysis/${place.analysis.api_id}/`
  assert.deepEqual(told((await alice.api.put<Made>(path, odd)).body), [false, null, null])
})

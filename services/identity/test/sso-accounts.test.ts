import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInByDevice } from '@figbase/kit/testing'
import { startWithProvider } from './sso.js'
import { as, transports } from './started.js'

for (const transport of transports) {
  test(`${transport}: who signs in by device has an account from then on, and the same one again`, async () => {
    await using sso = await startWithProvider(transport)
    const { access } = await signInByDevice(sso.provider, 'grace')
    assert.deepEqual(await sso.whose(access), { username: 'grace', isStaff: false })
    const { user } = await sso.at.client.getUser({ username: 'grace' }, as('grace'))
    assert.equal(user?.usingAuth0, true)
    assert.equal(user.firstName, 'Grace')
    assert.equal(user.lastName, 'Hopper')
    assert.equal(user.private?.email, 'grace@example.org')
    assert.equal(user.private.emailConfirmed, true)
    assert.deepEqual(new Set(sso.at.workspaces), new Set(['grace']))
    const again = await signInByDevice(sso.provider, 'grace')
    assert.equal((await sso.whose(again.access)).username, 'grace')
    assert.deepEqual(new Set(sso.at.workspaces), new Set(['grace']))
  })
}

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { type Client, messageOf, type Refusal } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { newWorkspace } from '../src/publish.js'
import { newSshKey, type SshKey, sshKeyToSend } from '../src/ssh-keys.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
before(async () => {
  ;[alice, bob] = [await signUp(), await signUp()]
})

const defaultsOf = async (me: Client) =>
  (await me.get<SshKey[]>('ssh_key/')).body.flatMap((key) => (key.is_default ? [key.api_id] : []))

for (const version of VERSIONS) {
  test(`${version}: stores, shows (without the private part), updates and deletes a key`, async () => {
    const me = (await signUp()).at(version)
    const sent = { ...sshKeyToSend(), name: 'laptop' }
    const { body: key, headers } = await me.post<SshKey>('ssh_key/', sent)
    const blob = Buffer.from(key.public_key.split(' ')[1] ?? '', 'base64')
    const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
    const { api_id, created_on, public_key } = key
    const shown = { name: 'laptop', fingerprint: `SHA256:${digest}`, is_default: true }
    assert.deepEqual(key, { api_id, ...shown, created_on, public_key })
    assert.match(public_key, /^ssh-ed25519 AAAA\S+$/)
    assert.ok(Math.abs(Date.parse(created_on) - Date.now()) < 60_000)
    assert.equal(headers.get('location'), `/api/${version}/ssh_key/${api_id}/`)
    assert.deepEqual((await me.get('ssh_key/')).body, [key])
    assert.deepEqual((await me.get(`ssh_key/${api_id}/`)).body, key)

    const other = await newSshKey(me)
    assert.equal(other.is_default, false)
    const { body: changed } = await me.patch<SshKey>(`ssh_key/${other.api_id}/`, {
      name: 'desktop',
      is_default: true,
    })
    assert.deepEqual(changed, { ...other, name: 'desktop', is_default: true })
    assert.deepEqual(await defaultsOf(me), [other.api_id])
    await me.delete(`ssh_key/${api_id}/`)
    await me.get(`ssh_key/${api_id}/`, 404)
    assert.deepEqual((await me.get('ssh_key/')).body, [changed])
  })
}

test('rejects invalid keys with the member', async () => {
  const me = alice.api
  for (const [more, field] of [
    [{ name: undefined }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: '' }, 'name'],
    [{ private_key: undefined }, 'private_key'],
    [{ private_key: null }, 'private_key'],
    [{ private_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA me' }, 'private_key'],
    [{ private_key: 'x'.repeat(70_000) }, 'private_key'],
    [{ passphrase: 5 }, 'passphrase'],
    [{ is_default: 'yes' }, 'is_default'],
  ] as const) {
    const refusal = await me.post<Refusal>('ssh_key/', { ...sshKeyToSend(), ...more }, 400)
    assert.match(messageOf(refusal), new RegExp(`^invalid_request ${field}: `))
  }
  assert.deepEqual((await me.get('ssh_key/')).body, [])
})

test('sends 404 for keys of other users', async () => {
  const { api_id } = await newSshKey(alice.api)
  const path = `ssh_key/${api_id}/`
  await bob.api.get(path, 404)
  await bob.api.patch(path, { is_default: true }, 404)
  await bob.api.delete(path, 404)
  assert.deepEqual((await bob.api.get('ssh_key/')).body, [])
  assert.deepEqual(await defaultsOf(alice.api), [api_id])
})

test('API keys cannot create or delete SSH keys, and those for a workspace cannot list them', async () => {
  const { api_id } = await newSshKey(bob.api)
  const free = callerWith(await newApiKey(bob.api))
  const { api_id: workspace } = await newWorkspace(bob.api)
  const bound = callerWith(await newApiKey(bob.api, { workspace }))
  for (const caller of [free, bound]) {
    await caller.post('ssh_key/', sshKeyToSend(), 403)
    await caller.delete(`ssh_key/${api_id}/`, 403)
  }
  assert.equal((await free.get<SshKey[]>('ssh_key/')).body.length, 1)
  await bound.get('ssh_key/', 403)
  await bound.get(`ssh_key/${api_id}/`, 403)
})

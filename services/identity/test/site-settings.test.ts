import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code } from '@connectrpc/connect'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { ann, as, asAnonymous, failureOf, start, type Transport } from './support/started.js'

const staff = (username = 'root') => actAs(user(username, true))
const denied = { code: Code.PermissionDenied, error: 'permission_denied', fields: [] }
const changed = { code: Code.FailedPrecondition, error: 'version_mismatch', fields: [] }
const noSignUp = { code: Code.PermissionDenied, error: 'sign_up_disabled', fields: [] }
const invalid = (field: string) => ({
  code: Code.InvalidArgument,
  error: 'invalid_request',
  fields: [field],
})

async function startWith(
  transport: Transport = 'local',
  env: Record<string, string> = {},
  isUnavailable = () => false,
) {
  const at = await start(transport, env, isUnavailable)
  const { site } = at
  const read = async (caller = as('ann')) => {
    const { settings } = await site.getSettings({}, caller)
    assert.ok(settings)
    return settings
  }
  const write = (change: Parameters<typeof site.updateSettings>[0], caller = staff()) =>
    site.updateSettings(change, caller)
  return { ...at, [Symbol.asyncDispose]: at[Symbol.asyncDispose], site, read, write }
}

test('signed-in users read the settings, staff write them', async () => {
  await using at = await startWith('http2')
  const before = await at.read()
  const { version, siteName, announcement, signUpEnabled, linkSharingEnabled } = before
  assert.deepEqual(
    [version, siteName, announcement, signUpEnabled, linkSharingEnabled],
    [1, 'Figbase', '', true, true],
  )
  assert.deepEqual([before.aiEnabled, before.aiModel, before.aiSupportedModels], [false, '', []])
  assert.deepEqual([before.metadataBytesMax, before.apiKeysMax], [65_536n, 100])
  assert.deepEqual(await at.read(actAs(userWithKey('ann', randomUUID()))), before)
  assert.equal((await failureOf(at.read(asAnonymous()))).code, Code.Unauthenticated)

  const bound = userWithKey('root', randomUUID())
  for (const [caller, code] of [
    [as('ann'), Code.PermissionDenied],
    [actAs(bound), Code.PermissionDenied],
    [actAsSystem(), Code.Unauthenticated],
    [asAnonymous(), Code.Unauthenticated],
  ] as const) {
    assert.equal((await failureOf(at.write({ siteName: 'Mine' }, caller))).code, code)
  }
  assert.deepEqual(await failureOf(at.write({ siteName: '' }, as('ann'))), denied)
  assert.deepEqual(await at.read(), before)

  const change = { siteName: 'Labör', announcement: 'Down on Friday', linkSharingEnabled: false }
  const { settings } = await at.write(change)
  assert.deepEqual(settings, { ...before, ...change, version: 2 })
  assert.deepEqual(await at.read(), settings)
  const emptied = (await at.write({ announcement: '' })).settings
  assert.deepEqual(emptied, { ...settings, announcement: '', version: 3 })
})

test('rejects invalid input by field, without writing', async () => {
  await using at = await startWith('local', { AI_PROVIDER: 'openai', AI_MODELS: 'small, large' })
  const before = await at.read()
  for (const [field, change] of [
    ['site_name', { siteName: '' }],
    ['site_name', { siteName: 'x'.repeat(101) }],
    ['site_name', { siteName: 'a\0' }],
    ['announcement', { announcement: 'x'.repeat(2001) }],
    ['announcement', { announcement: 'a\0' }],
    ['ai_model', { aiModel: 'huge' }],
  ] as const) {
    const both = { signUpEnabled: false, ...change }
    assert.deepEqual(await failureOf(at.write(both)), invalid(field))
  }
  assert.deepEqual(await at.read(), before)
})

test('AI can be enabled only with a configured model, and is off without one', async () => {
  await using at = await startWith()
  assert.deepEqual(await failureOf(at.write({ aiEnabled: true })), invalid('ai_enabled'))
  await at.write({ aiEnabled: false })

  const env = { AI_PROVIDER: 'openai', AI_MODELS: 'small,large' }
  await using with2 = await startWith('local', env)
  const open = async () => (await with2.site.getPublicSettings({}, asAnonymous())).aiEnabled
  assert.equal(await open(), false)
  const { settings } = await with2.write({ aiEnabled: true, aiModel: 'large' })
  assert.deepEqual(
    [settings?.aiEnabled, settings?.aiModel, settings?.aiSupportedModels],
    [true, 'large', ['small', 'large']],
  )
  assert.equal(await open(), true)
  assert.equal((await with2.write({ aiModel: '' })).settings?.aiModel, 'small')
  await with2.write({ aiModel: 'large' })

  await using with1 = await startWith('local', { ...env, AI_MODELS: 'tiny' })
  await with1.db.updateTable('site_settings').set({ ai_enabled: true, ai_model: 'large' }).execute()
  assert.equal((await with1.read()).aiModel, 'tiny')
  await using without = await startWith()
  await without.db.updateTable('site_settings').set({ ai_enabled: true }).execute()
  assert.deepEqual([(await without.read()).aiEnabled, (await without.read()).aiModel], [false, ''])
})

test('the setting of staff overrides the configured sign-up at once', async () => {
  await using at = await startWith('local', { SIGN_UP_ENABLED: 'false' })
  const signUp = (username: string, caller = asAnonymous()) =>
    at.client.createUser({ ...ann, username }, caller)
  assert.equal((await at.read()).signUpEnabled, false)
  assert.deepEqual(await failureOf(signUp('one')), noSignUp)
  await at.write({ signUpEnabled: true })
  await signUp('two')
  await at.write({ signUpEnabled: false })
  assert.deepEqual(await failureOf(signUp('three')), noSignUp)
  assert.deepEqual(await failureOf(signUp('three', as('two'))), noSignUp)
  await signUp('four', staff())
})

test('one of two concurrent changes of the same version is rejected', async () => {
  await using at = await startWith('http2')
  for (let expectedVersion = 1; expectedVersion <= 10; expectedVersion++) {
    const ends = await Promise.allSettled(
      ['ada', 'bob'].map((name) => at.write({ siteName: name, expectedVersion }, staff(name))),
    )
    const done = ends.filter(({ status }) => status === 'fulfilled')
    assert.equal(done.length, 1)
    assert.equal((await at.read()).version, expectedVersion + 1)
    assert.deepEqual(await failureOf(at.write({ siteName: 'x', expectedVersion })), changed)
  }
  const all = Array.from({ length: 8 }, (_, n) => at.write({ announcement: `${n}` }))
  const versions = (await Promise.all(all)).map(({ settings }) => settings?.version ?? 0)
  assert.deepEqual(
    versions.sort((a, b) => a - b),
    [12, 13, 14, 15, 16, 17, 18, 19],
  )
})

test('pushes each change to catalog before responding', async () => {
  await using at = await startWith()
  await at.write({ linkSharingEnabled: false })
  assert.deepEqual(at.rules.at(-1), { version: 2, linksAllowed: false })
  await at.write({ linkSharingEnabled: true })
  assert.deepEqual(at.rules.at(-1), { version: 3, linksAllowed: true })
})

test('stores a change while catalog is unavailable; the job pushes it later', async () => {
  let isUnavailable = true
  await using at = await startWith('local', {}, () => isUnavailable)
  await at.write({ linkSharingEnabled: false })
  assert.equal((await at.read()).linkSharingEnabled, false)
  assert.deepEqual(at.rules, [])
  isUnavailable = false
  for (let tries = 0; at.rules.length === 0 && tries < 600; tries++) await sleep(25)
  assert.deepEqual(at.rules.at(-1), { version: 2, linksAllowed: false })
})

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitError } from '../src/git/git-error.js'
import { openRepository } from '../src/git/open-repository.js'
import { fingerprintsOf } from '../src/git/ssh.js'
import { git, testGit } from './git/git.js'
import { createKeyPair, type SshServer, startSshServer } from './git/ssh-server.js'
import { filesLeft, isInArguments, tracesLeft } from './git/traces.js'

const hostKey = createKeyPair()
const userKey = createKeyPair()
let root: string
let server: SshServer
let url: string
const gitOfTest = testGit(['127.0.0.1'])
const { signal } = new AbortController()

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  git(root, ['init', '-q', '--bare', '-b', 'main', 'small.git'])
  const tree = git(join(root, 'small.git'), ['mktree'], '')
  const commit = git(join(root, 'small.git'), ['commit-tree', '-m', 'First', tree])
  git(join(root, 'small.git'), ['update-ref', 'refs/heads/main', commit])
  server = await startSshServer(root, hostKey, userKey)
  url = `ssh://git@127.0.0.1:${server.port}/small.git`
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

const open = (other: object) =>
  openRepository(
    gitOfTest,
    { url, branch: 'main', privateKey: userKey.privateKey, ...other },
    signal,
  )

const fingerprint = fingerprintsOf(`host ${hostKey.publicKey}`)

test('fetches over SSH, and accepts the host key at the first use only', async () => {
  let hostKeys: string | undefined
  {
    await using repository = await open({})
    assert.equal(repository.head.subject, 'First')
    assert.deepEqual(repository.hostKeyFingerprints, fingerprint)
    hostKeys = repository.hostKeys
  }
  assert.equal(
    hostKeys,
    `[127.0.0.1]:${server.port} ${hostKey.publicKey.split(' ').slice(0, 2).join(' ')}\n`,
  )
  await using again = await open({ hostKeys })
  assert.equal(again.hostKeys, hostKeys)
})

test('refuses another host key with both fingerprints', async () => {
  const other = createKeyPair().publicKey
  const hostKeys = `[127.0.0.1]:${server.port} ${other}\n`
  await assert.rejects(open({ hostKeys }), (error: GitError) => {
    assert.equal(error.reason, 'host_key_changed')
    assert.ok(error.message.includes(fingerprint[0] ?? '-'), error.message)
    assert.ok(error.message.includes(fingerprintsOf(hostKeys)[0] ?? '-'), error.message)
    return true
  })
})

test('refuses a wrong key, no key, and what is not one', async () => {
  const before = server.commands.length
  for (const privateKey of [createKeyPair().privateKey, undefined, 'key']) {
    await assert.rejects(open({ privateKey }), { reason: 'authentication_failed' })
  }
  assert.equal(server.commands.length, before)
})

test('passes a path to the server as it is, without a shell of this machine', async () => {
  const canary = join(root, 'canary')
  for (const path of [
    `$(touch$IFS${canary})`,
    `\`touch$IFS${canary}\``,
    `x';touch$IFS${canary};'`,
  ]) {
    const hostile = `ssh://git@127.0.0.1:${server.port}/${path}`
    await assert.rejects(open({ url: hostile }), { reason: 'not_found' }, path)
  }
  assert.ok(!(await readdir(root)).includes('canary'))
})

test('keeps the private key in a file of its owner, and only until it has fetched', async () => {
  const [, part = ''] = userKey.privateKey.split('\n')
  const withKey = async () => (await filesLeft()).filter(({ content }) => content.includes(part))
  const opening = open({})
  const modes = new Set<number>()
  const isOpen = opening.then(() => true)
  while (!(await Promise.race([isOpen, sleep(5, false)]))) {
    for (const { mode } of await withKey().catch(() => [])) modes.add(mode)
    assert.ok(!(await isInArguments(part)))
  }
  await using _ = await opening
  assert.deepEqual([...modes], [0o600])
  assert.deepEqual(await withKey(), [])
})

test('a missing branch is not a matter of the key', async () => {
  await assert.rejects(open({ branch: 'missing' }), { reason: 'branch_missing' })
})

test('leaves nothing', async () => {
  assert.deepEqual(await tracesLeft(), [])
})

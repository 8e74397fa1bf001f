import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { EnvReader } from '@figbase/kit/config'
import { createLogger } from '@figbase/kit/log'
import { readConfig } from '../src/config.js'
import { createGit } from '../src/git/git.js'
import type { GitLimits } from '../src/git/limits.js'
import { openRepository } from '../src/git/open-repository.js'
import type { Remote } from '../src/git/repository.js'
import { fakeGit } from './git/fake-git.js'
import { git, testGit } from './git/git.js'
import { gitHandler, type Handler, type HttpsServer, startHttpsServer } from './git/https-server.js'
import { blob, commit, packOf, tree } from './git/packs.js'
import { filesLeft, isInArguments, tracesLeft } from './git/traces.js'

let root: string
let server: HttpsServer
let handler: Handler
const { signal } = new AbortController()

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  git(root, ['init', '-q', '--bare', '-b', 'main', 'small.git'])
  git(join(root, 'small.git'), ['fast-import', '--quiet'], smallRepository)
  handler = gitHandler(root)
  server = await startHttpsServer((request, response) => handler(request, response))
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

const data = (content: string) => `data ${Buffer.byteLength(content)}\n${content}`
const author = (second: number) =>
  `author Ada <ada@x.org> ${second} +0000\ncommitter Ada <ada@x.org> ${second} +0000`
const smallRepository = `commit refs/heads/main
mark :1
${author(1000)}
${data('First\n\nMore.')}
M 644 inline a.txt
${data('a')}
M 644 inline b/c.txt
${data('content of c, which is long enough to be recognized')}
commit refs/heads/main
mark :2
${author(2000)}
${data('Second')}
from :1
R b/c.txt d.txt
M 644 inline e.txt
${data('e')}
reset refs/tags/v1
from :1

tag v2
from :2
tagger Ada <ada@x.org> 3000 +0000
${data('The second')}
`

test('lists and reads a repository over HTTPS, and leaves nothing', async () => {
  const gitOfTest = testGit(['127.0.0.1'], server.caFile)
  const remote = { url: `${server.origin}/small.git`, branch: 'main' }
  const bare = join(root, 'small.git')
  const [second = '', first = ''] = git(bare, ['log', '--format=%H', 'main']).split('\n')
  {
    await using repository = await openRepository(gitOfTest, remote, signal)
    assert.deepEqual(repository.head, {
      id: second,
      author: 'Ada',
      date: new Date(2_000_000),
      subject: 'Second',
    })
    assert.equal(repository.isHistoryComplete, true)
    const { files, refused } = await repository.listFiles()
    assert.deepEqual(
      files.map(({ path, sizeBytes }) => [path, sizeBytes]),
      [
        ['a.txt', 1],
        ['d.txt', 51],
        ['e.txt', 1],
      ],
    )
    assert.deepEqual(refused, [])
    const contents = await Promise.all(
      files.map(async ({ blobId }) => text(await repository.read(blobId))),
    )
    assert.deepEqual(contents, ['a', 'content of c, which is long enough to be recognized', 'e'])
    const changes = await repository.lastChanges()
    assert.deepEqual(
      files.map(({ path }) => changes.get(path)?.subject),
      ['First', 'Second', 'Second'],
    )
    assert.deepEqual([...(await repository.renamesSince(first))], [['b/c.txt', 'd.txt']])
    assert.deepEqual((await repository.renamesSince('0'.repeat(40))).size, 0)
    assert.deepEqual(
      await repository.tags(),
      new Map([
        [first, ['v1']],
        [second, ['v2']],
      ]),
    )
  }
  assert.deepEqual(await tracesLeft(), [])
})

const open = (name: string, other: Partial<Remote> = {}, limits: Partial<GitLimits> = {}) =>
  openRepository(
    testGit(['127.0.0.1'], server.caFile, limits),
    { url: `${server.origin}/${name}`, branch: 'main', ...other },
    signal,
  )

test('keeps the token in a file of its owner, and only until it has fetched', async () => {
  const tokens = ['secret-token', 'ada:secret-token']
  for (const token of tokens) {
    const secret = Buffer.from(token.includes(':') ? token : `x-access-token:${token}`)
    const seen: number[] = []
    const isShown: boolean[] = []
    handler = async (request, response) => {
      request.pause()
      isShown.push((await isInArguments('secret-token')) || (await isInArguments(`${secret}`)))
      const files = await filesLeft()
      seen.push(...files.filter(isSecretIn(secret)).map(({ mode }) => mode))
      gitHandler(root, token)(request, response)
    }
    await using _ = await open('small.git', { token })
    assert.ok(seen.length > 0 && seen.every((mode) => mode === 0o600))
    assert.ok(isShown.length > 0 && !isShown.includes(true))
    assert.deepEqual((await filesLeft()).filter(isSecretIn(secret)), [])
  }
  handler = gitHandler(root, 'another')
  for (const token of ['secret-token', undefined]) {
    await assert.rejects(open('small.git', { token }), { reason: 'authentication_failed' })
  }
})

const isSecretIn =
  (secret: Buffer) =>
  ({ content }: { content: string }) =>
    content.includes(`${secret}`) || content.includes(secret.toString('base64'))

test('follows a redirect on the same host, with the token', async () => {
  const serve = gitHandler(root, 'secret-token')
  handler = (request, response) => {
    const { url = '' } = request
    if (url.startsWith('/small.git/')) return serve(request, response)
    const location = `${server.origin}${url.replace('/old/', '/small.git/')}`
    response.writeHead(301, { location }).end()
  }
  await using repository = await open('old', { token: 'secret-token' })
  assert.equal(repository.head.subject, 'Second')
})

test('an empty repository has no branch', async () => {
  git(root, ['init', '-q', '--bare', '-b', 'main', 'empty.git'])
  handler = gitHandler(root)
  await assert.rejects(open('empty.git'), { reason: 'branch_missing' })
})

test('finds only exact renames if comparing contents takes too much memory', async () => {
  const lines = (size: number) => Buffer.from(`${'line of text\n'.repeat(size)}`)
  const large = lines(3 * 2 ** 20)
  const changed = Buffer.concat([large, lines(1)])
  const others = [blob('a'), blob(large), blob(changed)]
  const before = tree([
    ['100644', 'a', others[0]?.id ?? ''],
    ['100644', 'large', others[1]?.id ?? ''],
  ])
  const now = tree([
    ['100644', 'b', others[0]?.id ?? ''],
    ['100644', 'moved', others[2]?.id ?? ''],
  ])
  const first = commit(before.id)
  const second = commit(now.id, 'Second', [first.id])
  handler = fakeGit(second.id, packOf([first, second, before, now, ...others]))
  const renamed = async (memoryBytesMax: number) => {
    await using repository = await open('any.git', {}, { memoryBytesMax })
    return Object.fromEntries(await repository.renamesSince(first.id))
  }
  assert.deepEqual(await renamed(2 ** 30), { a: 'b', large: 'moved' })
  assert.deepEqual(await renamed(2 ** 26), { a: 'b' })
})

test('says that Git is missing or that the setting is wrong', async () => {
  const { settings } = testGit([])
  for (const path of ['/missing/git', '/bin/false']) {
    const missing = createGit({ ...settings, path }, createLogger('git', 'silent'))
    const remote = { url: `${server.origin}/small.git`, branch: 'main' }
    await assert.rejects(openRepository(missing, remote, signal), { reason: 'unavailable' })
  }
  const env = new EnvReader({ GIT_CA_FILE: join(root, 'missing.pem') })
  readConfig(env)
  assert.match(env.problems[0] ?? '', /^GIT_CA_FILE: cannot be read/)
})

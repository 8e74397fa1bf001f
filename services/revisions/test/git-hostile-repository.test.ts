import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, test } from 'node:test'
import type { GitLimits } from '../src/git/limits.js'
import { openRepository } from '../src/git/open-repository.js'
import { fakeGit } from './git/fake-git.js'
import { limits, testGit, unconfined } from './git/git.js'
import { type Handler, type HttpsServer, startHttpsServer } from './git/https-server.js'
import { blob, commit, type Folder, packOf, tree, treesOf } from './git/packs.js'
import { tracesLeft } from './git/traces.js'

let root: string
let canary: string
let server: HttpsServer
let handler: Handler
const { signal } = new AbortController()

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  canary = join(root, 'canary')
  server = await startHttpsServer((request, response) => handler(request, response))
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})
afterEach(async () => {
  assert.ok(!(await readdir(root)).includes('canary'), 'a command was run')
  assert.deepEqual(await tracesLeft(), [])
})

const open = (openSignal = signal, limits: Partial<GitLimits> = {}) =>
  openRepository(
    // Confinement would hide that a command was run.
    unconfined(testGit(['127.0.0.1'], server.caFile, limits)),
    { url: `${server.origin}/small.git`, branch: 'main' },
    openSignal,
  )

type Row = {
  path: (string | Buffer)[]
  mode?: string
  content?: string | Buffer
  /** Undefined if it is not refused. */
  reason?: string
}

const command = 'touch CANARY'
const rows: Row[] = [
  { path: ['link'], mode: '120000', content: '/etc/passwd', reason: 'is a symbolic link' },
  { path: ['module'], mode: '160000', reason: 'is a submodule' },
  { path: ['..', 'up'], reason: 'has an invalid path' },
  { path: ['.', 'same'], reason: 'has an invalid path' },
  { path: ['deep', '..', '..', 'up'], reason: 'has an invalid path' },
  ...[
    '.git',
    '.GIT',
    '.Git ',
    '.git.',
    '.git . .',
    'git~1',
    'GIT~2',
    '.g\u200cit',
    '\ufeff.git',
    '.git::$INDEX_ALLOCATION',
  ].map((name) => ({ path: [name, 'config'], reason: 'has a path that is reserved for Git' })),
  { path: ['a\\b'], reason: 'has a backslash in its path' },
  { path: ['bell\x07'], reason: 'has a control character in its path' },
  { path: ['new\nline'], reason: 'has a control character in its path' },
  { path: ['color\x1b[31m'], reason: 'has a control character in its path' },
  { path: ['separator\u2028'], reason: 'has a control character in its path' },
  { path: [Buffer.from('latin\xe9', 'latin1')], reason: 'has a path that is not UTF-8' },
  { path: Array.from({ length: 21 }, () => 'd'), reason: 'is nested in more than 19 folders' },
  { path: Array.from({ length: 20 }, () => 'd20') },
  { path: ['n'.repeat(501)], reason: 'has a path of more than 500 bytes' },
  { path: ['n'.repeat(500)] },
  { path: ['README'] },
  { path: ['Readme'], reason: 'differs from README only in case or in the form of its characters' },
  { path: ['cafe\u0301'] },
  {
    path: ['caf\u00e9'],
    reason: 'differs from cafe\u0301 only in case or in the form of its characters',
  },
  {
    path: ['large.bin'],
    content: Buffer.alloc(limits.fileBytesMax + 1),
    reason: `is larger than ${limits.fileBytesMax} bytes`,
  },
  { path: ['not-large.bin'], content: Buffer.alloc(limits.fileBytesMax) },
  {
    path: ['lfs.bin'],
    content: `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1\n`,
    reason: 'is stored with Git LFS',
  },
  { path: ['--output=CANARY'] },
  { path: ['$(touch CANARY)'] },
  { path: ['.gitattributes'], content: '* filter=x diff=x merge=x text eol=crlf\n' },
  {
    path: ['.gitmodules'],
    content: `[submodule "x"]\npath = module\nurl = ext::sh -c ${command}\nupdate = !${command}\n`,
  },
  { path: ['.gitconfig'], content: `[core]\nfsmonitor = ${command}\n` },
  { path: ['.mailmap'], content: 'Eve <eve@x.org> <ada@x.org>\n' },
  { path: ['hooks', 'post-checkout'], mode: '100755', content: `#!/bin/sh\n${command}\n` },
  { path: ['run.sh'], mode: '100755' },
]

function repositoryOf(rows: Row[]) {
  const top: Folder = { entries: [] }
  const blobs = []
  for (const { path, mode = '100644', content = 'content' } of rows) {
    const file = blob(content)
    if (mode !== '160000') blobs.push(file)
    let folder = top
    const names = path.map((name) => Buffer.from(name))
    for (const name of names.slice(0, -1)) {
      const found = folder.entries.find(([other]) => other.equals(name))?.[1]
      const next = found && 'entries' in found ? found : { entries: [] }
      if (!found) folder.entries.push([name, next])
      folder = next
    }
    folder.entries.push([names.at(-1) ?? Buffer.alloc(0), { mode, packed: file }])
  }
  const trees = treesOf(top)
  const first = commit(trees.at(-1)?.id ?? '')
  const all = [first, ...trees, ...blobs]
  return fakeGit(first.id, packOf([...new Map(all.map((one) => [one.id, one])).values()]))
}

test(`refuses paths with a reason, and runs nothing: ${rows.length} paths`, async () => {
  const filled = rows.map((row) => ({
    ...row,
    path: row.path.map((name) =>
      typeof name === 'string' ? name.replace('CANARY', 'canary') : name,
    ),
    ...(typeof row.content === 'string' && { content: row.content.replaceAll('CANARY', canary) }),
  }))
  handler = repositoryOf(filled)
  await using repository = await open().catch((e: Error) => {
    throw e.cause
  })
  const { files, refused } = await repository.listFiles()
  const reasonOf = new Map(refused.map(({ path, reason }) => [path, reason]))
  const listed = new Map(files.map((file) => [file.path, file]))
  for (const { path, content = 'content', reason } of filled) {
    const whole = path.map(String).join('/')
    const joined = whole.length > 500 ? `${whole.slice(0, 500)}…` : whole
    assert.equal(reasonOf.get(joined), reason, joined)
    assert.equal(listed.has(joined), reason === undefined, joined)
    const { blobId = '' } = listed.get(joined) ?? {}
    if (blobId) assert.equal(await text(await repository.read(blobId)), `${content}`)
  }
  assert.equal(files.length + refused.length, rows.length)
  assert.deepEqual(
    files.map(({ path }) => path),
    files.map(({ path }) => path).sort(),
  )
  const changes = await repository.lastChanges()
  assert.ok(files.every(({ path }) => changes.get(path)?.author === 'Ada'))
})

test('leaves out a file that expands to more than the memory', async () => {
  handler = repositoryOf([{ path: ['a'] }, { path: ['zeros'], content: Buffer.alloc(2 ** 27) }])
  await using repository = await open(signal, { memoryBytesMax: 2 ** 26 })
  const { files, refused } = await repository.listFiles()
  assert.deepEqual(
    files.map(({ path }) => path),
    ['a'],
  )
  assert.deepEqual(refused, [
    { path: 'zeros', reason: `is larger than ${limits.fileBytesMax} bytes` },
  ])
})

test('cuts long texts of commits, and cleans them', async () => {
  const files = tree([['100644', 'a', blob('a').id]])
  const first = commit(files.id, `Red \x1b[31m ${'ü'.repeat(2 ** 20)}`)
  handler = fakeGit(first.id, packOf([first, files, blob('a')]))
  await using repository = await open()
  assert.match(repository.head.subject, /^Red {2}\[31m ü{900,1000}\.\.$/)
})

test('ignores the environment and the configuration of the account of the service', async () => {
  const home = join(root, 'home')
  const hooks = join(home, 'hooks')
  await mkdir(hooks, { recursive: true })
  const script = `#!/bin/sh\ntouch ${canary}\n`
  const program = join(home, 'program')
  await writeFile(program, script, { mode: 0o755 })
  for (const name of ['reference-transaction', 'post-checkout', 'post-merge', 'pre-auto-gc']) {
    await writeFile(join(hooks, name), script, { mode: 0o755 })
  }
  const configuration = [
    `[core]\nhooksPath = ${hooks}\nfsmonitor = ${program}\nsshCommand = ${program}`,
    `[credential]\nhelper = ${program}`,
    `[gpg]\nprogram = ${program}\n[log]\nshowSignature = true`,
    `[url "${root}/"]\ninsteadOf = https://`,
    '[http]\nproxy = http://127.0.0.1:1\nsslVerify = false',
  ]
  await writeFile(join(home, '.gitconfig'), configuration.join('\n'))
  const hostile: Record<string, string> = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_CONFIG_PARAMETERS: `'core.hooksPath'='${hooks}'`,
    GIT_TEMPLATE_DIR: home,
    GIT_SSH_COMMAND: program,
    GIT_SSH: program,
    GIT_PROXY_COMMAND: program,
    GIT_EXTERNAL_DIFF: program,
    GIT_ASKPASS: program,
    SSH_ASKPASS: program,
    GIT_PAGER: program,
    GIT_EXEC_PATH: home,
    GIT_TRACE: canary,
    GIT_TRACE2: canary,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: home,
    GIT_ALLOW_PROTOCOL: 'ext:file',
    HTTPS_PROXY: 'http://127.0.0.1:1',
    ALL_PROXY: 'http://127.0.0.1:1',
  }
  const before = Object.keys(hostile).map((name) => [name, process.env[name]] as const)
  handler = repositoryOf([{ path: ['a'] }])
  Object.assign(process.env, hostile)
  try {
    await using repository = await open()
    const { files } = await repository.listFiles()
    assert.equal(files.length, 1)
    await repository.lastChanges()
    await repository.renamesSince(repository.head.id)
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})

test('ends everything when it is aborted', async () => {
  handler = () => {}
  const aborting = AbortSignal.timeout(300)
  await assert.rejects(open(aborting), { name: 'TimeoutError' })
  assert.deepEqual(await tracesLeft(), [])
  handler = repositoryOf([{ path: ['a'], content: Buffer.alloc(2 ** 20) }])
  const later = new AbortController()
  await using repository = await open(later.signal)
  const { files } = await repository.listFiles()
  const stream = await repository.read(files[0]?.blobId ?? '')
  const reading = async () => {
    for await (const _ of stream) later.abort(new Error('enough'))
  }
  await assert.rejects(reading(), /enough/)
  await assert.rejects(repository.renamesSince(repository.head.id), /enough/)
})

test('a file that is not read to its end does not block the next one', async () => {
  handler = repositoryOf([
    { path: ['a'], content: Buffer.alloc(2 ** 20, 'a') },
    { path: ['b'], content: 'b' },
  ])
  await using repository = await open()
  const [a, b] = (await repository.listFiles()).files
  const first = await repository.read(a?.blobId ?? '')
  const second = await repository.read(b?.blobId ?? '')
  for await (const _ of first) break
  assert.equal(await text(second), 'b')
  for (const wrong of ['0'.repeat(40), '--help\n']) {
    await assert.rejects(async () => text(await repository.read(wrong)), { reason: 'corrupt' })
  }
  const unread = await repository.read(a?.blobId ?? '')
  assert.equal((await text(await repository.read(a?.blobId ?? ''))).length, 2 ** 20)
  unread.destroy()
})

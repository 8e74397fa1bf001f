import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { GitError, GitReason } from '../src/git/git-error.js'
import type { GitLimits } from '../src/git/limits.js'
import { openRepository } from '../src/git/open-repository.js'
import type { Remote } from '../src/git/repository.js'
import { fakeGit } from './git/fake-git.js'
import { git, testGit, unconfined } from './git/git.js'
import { gitHandler, type Handler, type HttpsServer, startHttpsServer } from './git/https-server.js'
import {
  blob,
  commit,
  type Entry,
  type Packed,
  packed,
  packOf,
  repeating,
  tree,
} from './git/packs.js'
import { tracesLeft } from './git/traces.js'

const token = 'secret-token-of-ada'
let root: string
let canary: string
let server: HttpsServer
let other: HttpsServer
let handler: Handler
let silent: { port: number; connections: () => number; close(): void }
const { signal } = new AbortController()

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  canary = join(root, 'canary')
  makeRepositories()
  server = await startHttpsServer((request, response) => handler(request, response))
  other = await startHttpsServer((_, response) => void response.end())
  silent = await startSilent()
})
after(async () => {
  silent.close()
  await server[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

async function startSilent() {
  const sockets: Socket[] = []
  const listening = createServer((socket) => void sockets.push(socket))
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    connections: () => sockets.length,
    close() {
      listening.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Attempt = {
  name: string
  reason: GitReason
  remote?: () => Partial<Remote>
  handler?: () => Handler
  limits?: Partial<GitLimits>
  /** Hosts that the operator allows; by default 127.0.0.1. */
  allowed?: string[]
  /** Of the certificate; by default it is trusted. */
  isUntrusted?: boolean
}

const urls: string[] = [
  '',
  '-oProxyCommand=touch$IFSCANARY',
  '--upload-pack=touch$IFSCANARY',
  'ssh://-oProxyCommand=touch$IFSCANARY/x',
  'ssh://git@-oProxyCommand=touch$IFSCANARY/x',
  'ssh://-oProxyCommand=x@127.0.0.1/x',
  'git@-oProxyCommand=touch$IFSCANARY:x',
  '-oProxyCommand=x@127.0.0.1:x',
  'ssh://git@127.0.0.1/-oProxyCommand=x',
  'git@127.0.0.1:--upload-pack=touch$IFSCANARY',
  'git@127.0.0.1:%2d%2dupload-pack=x',
  'ssh://git@$(touch$IFSCANARY)/x',
  'ssh://git@`touch$IFSCANARY`/x',
  'ssh://git@a;touch$IFSCANARY;/x',
  'ssh://git:password@127.0.0.1/x',
  'ssh://git@127.0.0.1:99999/x',
  'ssh://git@%2doProxyCommand=x/x',
  'ext::sh -c touch% CANARY',
  'ext::touch$IFSCANARY',
  'fd::17',
  'file:///ROOT/small.git',
  '/ROOT/small.git',
  '../small.git',
  'ROOT/small.git',
  'http://127.0.0.1/small.git',
  'git://127.0.0.1/small.git',
  'ftp://127.0.0.1/small.git',
  'https://user:password@127.0.0.1/small.git',
  'https://user@127.0.0.1/small.git',
  'https://127.0.0.1/small.git?x',
  'https://127.0.0.1/small.git#x',
  'https://127.0.0.1',
  'https://127.0.0.1/small.git\nx',
  'https://127.0.0.1\\@localhost/small.git',
  'https://127.0.0.1/a b',
  `https://127.0.0.1/${'a'.repeat(2000)}`,
]

const branches = [
  '',
  '-x',
  '--upload-pack=touch$IFSCANARY',
  'a..b',
  'a b',
  'a:refs/heads/b',
  'a*',
  '@{-1}',
  '@',
  'HEAD',
  'a.lock',
  '.a/b',
  'a//b',
  'a/',
  'a^',
  'a~1',
  'a\nb',
  'a\\b',
  '\ud800',
  'a'.repeat(300),
]

const privateUrls = [
  'https://127.0.0.1:PORT/small.git',
  'https://localhost:PORT/small.git',
  'https://127.1:PORT/small.git',
  'https://2130706433:PORT/small.git',
  'https://0x7f000001:PORT/small.git',
  'https://0177.0.0.1:PORT/small.git',
  'https://0:PORT/small.git',
  'https://[::1]:PORT/small.git',
  'https://[::ffff:127.0.0.1]:PORT/small.git',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/small.git',
  'https://[fd00::1]/small.git',
  'ssh://git@127.0.0.1:PORT/small.git',
  'ssh://git@localhost:PORT/small.git',
  'ssh://git@2130706433:PORT/small.git',
  'ssh://git@[::1]:PORT/small.git',
  'git@127.0.0.1:small.git',
  'git@169.254.169.254:small.git',
  'git@0x7f.1:small.git',
]

const filled = (text: string) =>
  text.replaceAll('CANARY', canary).replaceAll('ROOT', root).replaceAll('PORT', `${silent.port}`)

const redirectTo =
  (location: () => string, status = 302): Handler =>
  (_, response) =>
    void response.writeHead(status, { location: location() }).end()

const answer =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Handler =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

const advertisement = { 'content-type': 'application/x-git-upload-pack-advertisement' }

const endless =
  (start: string, part: Buffer): Handler =>
  (_, response) => {
    response.writeHead(200, advertisement)
    response.write(start)
    const more = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more)
    more()
  }

const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`
const service = `${packet('# service=git-upload-pack\n')}0000`
const refs = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    packet(`${'1'.repeat(40)} refs/heads/${`${at}`.padStart(8, '0')}\n`),
  ).join('')

/** A server of one commit with these files, and other objects. */
function served(entries: Entry[], others: Packed[] = [], change = (pack: Buffer) => pack) {
  const files = tree(entries)
  const first = commit(files.id)
  return fakeGit(first.id, change(packOf([first, files, ...others])))
}

const small = blob('a')
const smallEntry: Entry = ['100644', 'a', small.id]

function deepTree(depth: number) {
  const trees: Packed[] = [tree([smallEntry])]
  for (let at = 1; at < depth; at++) trees.push(tree([['40000', 'd', trees.at(-1)?.id ?? '']]))
  return trees
}

/** Each tree has the tree before it many times. */
function wideTree(levels: number) {
  const names = Array.from({ length: 10 }, (_, at) => `${at}`)
  const trees: Packed[] = [tree(names.map((name) => ['100644', name, small.id]))]
  for (let at = 1; at < levels; at++) {
    const id = trees.at(-1)?.id ?? ''
    trees.push(tree(names.map((name) => ['40000', name, id])))
  }
  return trees
}

const ofTrees = (trees: Packed[]) => {
  const first = commit(trees.at(-1)?.id ?? '')
  return fakeGit(first.id, packOf([first, small, ...trees]))
}

const attempts: Attempt[] = [
  ...urls.map(
    (url): Attempt => ({
      name: `the URL ${url.slice(0, 60)}`,
      reason: 'refused_url',
      remote: () => ({ url: filled(url) }),
    }),
  ),
  ...branches.map(
    (branch): Attempt => ({
      name: `the branch ${branch.slice(0, 60)}`,
      reason: 'refused_url',
      remote: () => ({ branch: filled(branch) }),
    }),
  ),
  ...privateUrls.map(
    (url): Attempt => ({
      name: `the private address ${url}`,
      reason: 'address_refused',
      allowed: [],
      remote: () => ({ url: filled(url) }),
    }),
  ),
  {
    name: 'a redirect to another port of a private address',
    reason: 'redirected',
    handler: () => redirectTo(() => `${other.origin}/small.git/info/refs?service=git-upload-pack`),
  },
  {
    name: 'a redirect with the token to another host',
    reason: 'redirected',
    remote: () => ({ token }),
    handler: () =>
      redirectTo(() => `https://localhost:${other.port}/info/refs?service=git-upload-pack`, 307),
  },
  {
    name: 'a redirect to HTTP without TLS',
    reason: 'redirected',
    handler: () => redirectTo(() => `http://127.0.0.1:${silent.port}/info/refs`),
  },
  {
    name: 'a redirect to a file',
    reason: 'redirected',
    handler: () => redirectTo(() => `file://${root}/info/refs`),
  },
  {
    name: 'a redirect of the second request',
    reason: 'redirected',
    handler: () => (request, response) =>
      request.method === 'GET'
        ? served([smallEntry], [small])(request, response)
        : redirectTo(() => `${other.origin}/git-upload-pack`, 307)(request, response),
  },
  { name: 'an endless redirect', reason: 'redirected', handler: () => redirectTo(() => '/again') },
  { name: 'an unknown certificate', reason: 'unreachable', isUntrusted: true },
  { name: 'no repository', reason: 'not_found', handler: () => answer(404) },
  {
    name: 'a wrong token, which the server repeats',
    reason: 'authentication_failed',
    remote: () => ({ token }),
    handler: () => (request, response) =>
      answer(
        401,
        { 'www-authenticate': 'Basic realm="git"', 'content-type': 'text/plain' },
        `${request.headers.authorization} ${token} \x1b[31m`,
      )(request, response),
  },
  { name: 'a forbidden repository', reason: 'authentication_failed', handler: () => answer(403) },
  { name: 'an error of the server', reason: 'unreachable', handler: () => answer(500) },
  { name: 'a page', reason: 'branch_missing', handler: () => answer(200, {}, '<html>') },
  {
    name: 'a server without the smart protocol, with alternates elsewhere',
    reason: 'corrupt',
    handler: () => (request, response) =>
      request.url?.includes('info/refs')
        ? answer(200, {}, `${small.id}\trefs/heads/main\n`)(request, response)
        : answer(200, {}, `${other.origin}/objects\n`)(request, response),
  },
  {
    name: 'a server that never answers',
    reason: 'timed_out',
    limits: { timeoutMs: 1000 },
    handler: () => () => {},
  },
  {
    name: 'a server that does not speak TLS',
    reason: 'timed_out',
    limits: { timeoutMs: 1000 },
    remote: () => ({ url: `https://127.0.0.1:${silent.port}/small.git` }),
  },
  {
    name: 'an SSH server that never answers',
    reason: 'timed_out',
    limits: { timeoutMs: 1000 },
    remote: () => ({ url: `ssh://git@127.0.0.1:${silent.port}/small.git` }),
  },
  {
    name: 'an SSH server that is an HTTPS server',
    reason: 'unreachable',
    remote: () => ({ url: `ssh://git@127.0.0.1:${server.port}/small.git` }),
  },
  {
    name: 'nothing at the port',
    reason: 'unreachable',
    remote: () => ({ url: 'https://127.0.0.1:1/small.git' }),
  },
  {
    name: 'an endless list of branches',
    reason: 'too_large',
    limits: { receivedBytesMax: 2 ** 22 },
    handler: () => endless(service, Buffer.from(refs(1000))),
  },
  {
    name: 'an endless line',
    reason: 'too_large',
    limits: { receivedBytesMax: 2 ** 22 },
    handler: () => endless(service, Buffer.alloc(65_536, 'a')),
  },
  {
    name: 'an answer that expands to more than the memory',
    reason: 'too_large',
    limits: { memoryBytesMax: 2 ** 27 },
    handler: () => {
      const body = gzipSync(Buffer.alloc(2 ** 28), { level: 1 })
      return answer(200, { ...advertisement, 'content-encoding': 'gzip' }, body)
    },
  },
  {
    name: 'an endless pack',
    reason: 'too_large',
    limits: { receivedBytesMax: 2 ** 22 },
    handler: () => {
      const file = blob(Buffer.from(Array.from({ length: 60_000 }, () => Math.random() * 256)))
      return fakeGit('1'.repeat(40), function* () {
        yield packOf([], 50_000).subarray(0, 12)
        while (true) yield file.bytes
      })
    },
  },
  {
    name: 'a pack that is larger on disk than allowed',
    reason: 'too_large',
    limits: { diskBytesMax: 2 ** 20 },
    handler: () => {
      const file = blob(Buffer.from(Array.from({ length: 2 ** 21 }, () => Math.random() * 256)))
      return served([['100644', 'a', file.id]], [file])
    },
  },
  {
    name: 'a pack that announces too many objects',
    reason: 'too_many_objects',
    handler: () => {
      const start = packOf([small], 5_000_000).subarray(0, -20)
      return fakeGit('1'.repeat(40), function* () {
        yield start
        while (true) yield small.bytes
      })
    },
  },
  {
    name: 'a pack that announces as many objects as there can be',
    reason: 'corrupt',
    handler: () => fakeGit('1'.repeat(40), packOf([small], 2 ** 32 - 1)),
  },
  {
    name: 'a pack with too many objects',
    reason: 'too_many_objects',
    limits: { objectsMax: 2 },
    handler: () => served([smallEntry], [small]),
  },
  {
    name: 'a delta that expands to more than the memory',
    reason: 'too_large',
    limits: { memoryBytesMax: 2 ** 27 },
    handler: () => {
      const base = Buffer.alloc(2 ** 19)
      return served([smallEntry], [small, blob(base), repeating(blob(base), base.length, 4096)])
    },
  },
  {
    name: 'a pack that ends too early',
    reason: 'corrupt',
    handler: () => served([smallEntry], [small], (pack) => pack.subarray(0, -30)),
  },
  {
    name: 'a pack with a wrong checksum',
    reason: 'corrupt',
    handler: () =>
      served([smallEntry], [small], (pack) => Buffer.concat([pack.subarray(0, -1), Buffer.of(0)])),
  },
  {
    name: 'a pack of random bytes',
    reason: 'corrupt',
    handler: () => served([smallEntry], [small], () => Buffer.alloc(1000, 'x')),
  },
  {
    name: 'an object that does not decompress',
    reason: 'corrupt',
    handler: () =>
      served([smallEntry], [{ id: small.id, bytes: Buffer.from('3161626364', 'hex') }]),
  },
  {
    name: 'a delta without its base',
    reason: 'corrupt',
    handler: () => served([smallEntry], [small, repeating(blob('b'), 1, 1)]),
  },
  {
    name: 'a pack without the commit',
    reason: 'corrupt',
    handler: () => fakeGit('1'.repeat(40), packOf([small])),
  },
  {
    name: 'a commit without its tree',
    reason: 'corrupt',
    handler: () => {
      const first = commit('1'.repeat(40))
      return fakeGit(first.id, packOf([first]))
    },
  },
  {
    name: 'a commit that is not one',
    reason: 'corrupt',
    handler: () => {
      const broken = packed('commit', Buffer.from('tree x\n'))
      return fakeGit(broken.id, packOf([broken]))
    },
  },
  {
    name: 'a branch that is a file',
    reason: 'corrupt',
    handler: () => fakeGit(small.id, packOf([small])),
  },
  {
    name: 'a tree with the same name twice',
    reason: 'corrupt',
    handler: () => served([smallEntry, smallEntry], [small]),
  },
  {
    name: 'a tree in a wrong order',
    reason: 'corrupt',
    handler: () => served([['100644', 'b', small.id], smallEntry], [small]),
  },
  {
    name: 'a name with a slash',
    reason: 'corrupt',
    handler: () => served([['100644', 'a/b', small.id]], [small]),
  },
  {
    name: 'an empty name',
    reason: 'corrupt',
    handler: () => served([['100644', '', small.id]], [small]),
  },
  {
    name: 'ten thousand million files in ten trees',
    reason: 'too_many_files',
    handler: () => ofTrees(wideTree(10)),
  },
  {
    name: 'a tree of 60,000 levels',
    reason: 'corrupt',
    limits: { objectsMax: 300_000 },
    handler: () => ofTrees(deepTree(60_000)),
  },
  {
    name: 'commits with very many parents',
    reason: 'too_large',
    limits: { commitsMax: 10 },
    handler: () => {
      const files = tree([smallEntry])
      const roots = Array.from({ length: 200 }, (_, at) => commit(files.id, `${at}`))
      const merge = commit(
        files.id,
        'Merge',
        roots.map(({ id }) => id),
      )
      return fakeGit(merge.id, packOf([merge, ...roots, files, small]))
    },
  },
  {
    name: 'a path of 100,000 characters',
    reason: 'too_large',
    handler: () => {
      const names = Array.from({ length: 25 }, (_, at) => `${at}`.padEnd(4000, 'n'))
      const trees = [tree([smallEntry])]
      for (const name of names) trees.push(tree([['40000', name, trees.at(-1)?.id ?? '']]))
      return ofTrees(trees)
    },
  },
  {
    name: 'too many tags',
    reason: 'too_many_tags',
    limits: { tagsMax: 10 },
    remote: () => ({ url: `${server.origin}/tags.git` }),
    handler: () => gitHandler(root),
  },
  {
    name: 'a missing branch',
    reason: 'branch_missing',
    remote: () => ({ url: `${server.origin}/tags.git`, branch: 'missing' }),
    handler: () => gitHandler(root),
  },
  {
    name: 'SHA-256',
    reason: 'corrupt',
    remote: () => ({ url: `${server.origin}/sha256.git` }),
    handler: () => gitHandler(root),
  },
]

function makeRepositories() {
  git(root, ['init', '-q', '--bare', '-b', 'main', 'tags.git'])
  const bare = join(root, 'tags.git')
  const commitId = git(bare, ['commit-tree', '-m', 'First', git(bare, ['mktree'], '')])
  const names = Array.from({ length: 20 }, (_, at) => `refs/tags/${at}`)
  const lines = ['refs/heads/main', ...names].map((name) => `create ${name} ${commitId}\n`)
  git(bare, ['update-ref', '--stdin'], lines.join(''))
  git(root, ['init', '-q', '--bare', '-b', 'main', '--object-format=sha256', 'sha256.git'])
  const bare256 = join(root, 'sha256.git')
  const id256 = git(bare256, ['commit-tree', '-m', 'First', git(bare256, ['mktree'], '')])
  git(bare256, ['update-ref', 'refs/heads/main', id256])
}

async function assertNoTraces() {
  const files = await readdir(root)
  assert.ok(!files.includes('canary'), 'a command was run')
  assert.deepEqual(await tracesLeft(), [])
}

describe('hostile servers and URLs', () => {
  before(() => console.log(`${attempts.length} attempts`))
  for (const { name, reason, remote, limits, allowed, isUntrusted, ...attempt } of attempts) {
    test(name, async () => {
      handler = attempt.handler?.() ?? answer(200)
      const connections = silent.connections()
      const caFile = isUntrusted ? '' : server.caFile
      // Confinement would hide that a command was run.
      const programs = unconfined(testGit(allowed ?? ['127.0.0.1'], caFile, limits))
      const full = { url: `${server.origin}/small.git`, branch: 'main', ...remote?.() }
      await assert.rejects(
        async () => (await openRepository(programs, full, signal))[Symbol.asyncDispose](),
        (error: GitError) => {
          assert.equal(error.reason, reason, `${error.message} ${error.cause}`)
          const said = `${error.message} ${error.cause}`
          assert.ok(!said.includes(token) && !error.message.includes(tmpdir()), said)
          assert.match(error.message, /^[\x20-\x7e]{1,300}$/)
          return true
        },
      )
      assert.deepEqual(other.requests, [])
      if (reason !== 'timed_out') assert.equal(silent.connections(), connections)
      await assertNoTraces()
    })
  }
})

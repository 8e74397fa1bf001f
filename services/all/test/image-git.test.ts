import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  gitHandler,
  type HttpsServer,
  startHttpsServer,
} from '@figbase/revisions/testing/git-server'
import { createKeyPair, startSshServer } from '@figbase/revisions/testing/ssh-server'
import { Container } from './support/image/container.js'
import { readDockerfile } from './support/image/dockerfile.js'
import { assembleImage, type Image, imageSkipReason } from './support/image/image.js'

/** The image with the build argument `PROGRAMS=git ssh`. */
const skip = imageSkipReason()
let image: Image
let folder: string
let server: HttpsServer
before(async () => {
  if (skip) return
  image = await assembleImage('git ssh')
  folder = mkdtempSync(join(tmpdir(), 'figbase-git-'))
  makeRepository()
  server = await startHttpsServer(gitHandler(folder))
})
after(async () => {
  await server?.[Symbol.asyncDispose]()
  await image?.[Symbol.asyncDispose]()
  if (folder) rmSync(folder, { recursive: true })
})

function makeRepository() {
  const git = (args: string[], input = '') =>
    execFileSync('git', ['-C', folder, ...args], { input, stdio: ['pipe', 'pipe', 'pipe'] })
  git(['init', '-q', '--bare', '-b', 'main', 'plots.git'])
  const text = 'a picture'
  git(
    ['-C', 'plots.git', 'fast-import', '--quiet'],
    `commit refs/heads/main\ncommitter Ada <a@x.org> 1700000000 +0000\ndata 1\nc
M 644 inline plots/a.png\ndata ${text.length}\n${text}\n`,
  )
}

test('has Git, its helper for https, ssh with a shell, and prlimit, and no other programs', {
  skip,
}, () => {
  const programs = ['bin', 'usr/local/bin', 'usr/lib/git-core'].flatMap((path) =>
    readdirSync(join(image.root, path))
      .filter((name) => lstatSync(join(image.root, path, name)).isFile())
      .map((name) => `${path}/${name}`),
  )
  assert.deepEqual(programs.sort(), [
    'bin/sh',
    'usr/lib/git-core/git-remote-https',
    'usr/local/bin/git',
    'usr/local/bin/node',
    'usr/local/bin/prlimit',
    'usr/local/bin/ssh',
  ])
})

test('lists the packages of Debian, each with its copyright file', { skip }, () => {
  const text = readFileSync(join(image.root, 'app/sbom.cdx.json'), 'utf8')
  const components = JSON.parse(text).components as { name: string; purl?: string }[]
  const names = components.flatMap(({ name, purl }) =>
    purl?.startsWith('pkg:deb/debian/') ? [name] : [],
  )
  for (const name of ['git', 'util-linux', 'libcurl3-gnutls', 'libc6', 'openssh-client', 'dash']) {
    assert.ok(names.includes(name), `${name}: ${names}`)
  }
  for (const name of names) {
    const file = join(image.root, 'usr/share/doc', name, 'copyright')
    assert.ok(lstatSync(file).size > 0, name)
  }
})

/** The lines that the container prints: what is missing for Git, and the files of the repository. */
async function filesOf(remote: object): Promise<string[]> {
  const script = `
    import { createGit } from '/app/services/revisions/dist/src/git/git.js'
    import { openRepository } from '/app/services/revisions/dist/src/git/open-repository.js'
    const limits = {
      timeoutMs: 30_000, receivedBytesMax: 2 ** 26, diskBytesMax: 2 ** 27, memoryBytesMax: 2 ** 30,
      objectsMax: 1000, commitsMax: 100, filesMax: 100, fileBytesMax: 2 ** 20, pathDepthMax: 20,
      pathBytesMax: 500, tagsMax: 100,
    }
    const log = { warn: ({ missing }) => console.log('missing', missing.join(' ')) }
    const settings = { path: '', caFile: '/tmp/ca.pem', hostsAllowed: ['127.0.0.1'], limits }
    const remote = ${JSON.stringify({ branch: 'main', ...remote })}
    const { signal } = new AbortController()
    await using repository = await openRepository(createGit(settings, log), remote, signal)
    const { files } = await repository.listFiles()
    for (const { path, blobId } of files)
      for await (const bytes of await repository.read(blobId)) console.log(path, String(bytes))`
  const container = new Container({
    root: image.root,
    command: ['/usr/local/bin/node', '--input-type=module', '--eval', script],
    env: readDockerfile().env,
    files: { '/tmp/ca.pem': server.caFile },
  })
  assert.equal(await container.ended, 0, container.output)
  return container.output.trim().split('\n')
}

const expected = ['missing bubblewrap', 'plots/a.png a picture']

test('fetches a repository with https as an account without rights', { skip }, async () => {
  assert.deepEqual(await filesOf({ url: `${server.origin}/plots.git` }), expected)
})

test('fetches a repository over SSH as an account without rights', { skip }, async () => {
  const key = createKeyPair()
  await using ssh = await startSshServer(folder, createKeyPair(), key)
  const url = `ssh://git@127.0.0.1:${ssh.port}/plots.git`
  assert.deepEqual(await filesOf({ url, privateKey: key.privateKey }), expected)
  assert.equal(ssh.commands[0], "git-upload-pack '/plots.git'")
})

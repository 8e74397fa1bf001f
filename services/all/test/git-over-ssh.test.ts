import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '@figbase/kit/processes'
import { createBrowser } from '@figbase/kit/testing'
import { createKeyPair, startSshServer } from '@figbase/revisions/testing/ssh-server'
import { Author, type Created, program as product } from './support/author.js'
import { Bench, until } from './support/launched.js'

type Import = { api_id: string; status: string; error: string | null; figures: { total: number } }

test('once Git is installed, a repository is imported over SSH with a stored key, until the key is deleted', async () => {
  await using bench = new Bench(product)
  const folder = await mkdtemp(join(tmpdir(), 'figbase-git-'))
  const bare = join(folder, 'plots.git')
  const git = (args: string[], input = '') => execFileSync('git', args, { input })
  git(['init', '-q', '--bare', '-b', 'main', bare])
  const picture = 'a picture'
  git(
    ['-C', bare, 'fast-import', '--quiet'],
    `commit refs/heads/main\ncommitter Ada <a@x.org> 1700000000 +0000\ndata 1\nc\nM 644 inline a.png\ndata ${picture.length}\n${picture}\n`,
  )
  const key = createKeyPair()
  const server = await startSshServer(folder, createKeyPair(), key)
  try {
    const program = join(folder, 'git')
    const env = { OUTBOUND_HOSTS_ALLOWED: '127.0.0.1', GIT_PATH: program }
    const author = new Author(await bench.start({ dataDir: await bench.dir(), env }))
    await author.signUp()
    const request = { name: 'lab', private_key: key.privateKey }
    const { api_id: ssh_key } = await author.json<Created>('POST', 'ssh_key/', request)
    const figure = await author.newFigure()
    const { analysis } = await author.json<{ analysis: string }>('GET', `figure/${figure}/`)
    const url = `ssh://git@127.0.0.1:${server.port}/plots.git`
    const path = `analysis/${analysis}/git_repository/`
    const refused = await author.request('POST', path, { url, ssh_key })
    assert.equal(refused.status, 503)
    assert.equal(((await refused.json()) as { error: string }).error, 'git_unavailable')
    const address = new URL(`/analysis/${analysis}/repositories/`, author.launched.url)
    const browser = createBrowser()
    const signIn = await browser.visit(address)
    const form = await browser.submit(signIn, { username: 'ada', password: 'correct horse' })
    const page = await browser.submit(form, { url, ssh_key, branch: 'main' }, address.pathname)
    assert.equal(page.status, 503)
    assert.match(page.text, /role="alert">Git is not installed on this server/)
    assert.ok(page.text.includes(`value="${url}"`))

    await symlink(findProgram('git') ?? '', program)
    const { api_id } = await author.json<Created>('POST', path, { url, ssh_key })

    const importOnce = async (): Promise<Import> => {
      const imports = `git_repository/${api_id}/import/`
      const started = await author.json<Import>('POST', imports, {})
      let found: Import | undefined
      await until(async () => {
        const all = await author.json<Import[]>('GET', imports)
        found = all.find((one) => one.api_id === started.api_id)
        return found !== undefined && !['waiting', 'running'].includes(found.status)
      }, 'the end of the import')
      return found ?? assert.fail()
    }
    const imported = await importOnce()
    assert.deepEqual([imported.error, imported.figures.total], [null, 1])
    assert.ok(server.commands.length > 0)
    const { host_key_fingerprints: fingerprints } = await author.json<{
      host_key_fingerprints: string[]
    }>('GET', `git_repository/${api_id}/`)
    assert.match(fingerprints[0] ?? '', /^SHA256:/)

    await author.request('DELETE', `ssh_key/${ssh_key}/`)
    const commands = server.commands.length
    const { status, error } = await importOnce()
    assert.deepEqual(
      [status, error],
      ['failed', 'the SSH key of the repository has been deleted: choose another one'],
    )
    assert.equal(server.commands.length, commands)
    assert.ok(!author.launched.output.includes(key.privateKey.split('\n')[1] ?? '-'))
  } finally {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
})

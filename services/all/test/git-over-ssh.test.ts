import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createKeyPair, startSshServer } from '@figbase/revisions/testing/ssh-server'
import { Author, type Created, program } from './support/author.js'
import { Bench, until } from './support/launched.js'

type Import = { api_id: string; status: string; error: string | null; figures: { total: number } }

test('a repository is imported over SSH with a stored key of its user, until the key is deleted', async () => {
  await using bench = new Bench(program)
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
    const env = { OUTBOUND_HOSTS_ALLOWED: '127.0.0.1' }
    const author = new Author(await bench.start({ dataDir: await bench.dir(), env }))
    await author.signUp()
    const request = { name: 'lab', private_key: key.privateKey }
    const { api_id: ssh_key } = await author.json<Created>('POST', 'ssh_key/', request)
    const figure = await author.newFigure()
    const { analysis } = await author.json<{ analysis: string }>('GET', `figure/${figure}/`)
    const url = `ssh://git@127.0.0.1:${server.port}/plots.git`
    const path = `analysis/${analysis}/git_repository/`
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

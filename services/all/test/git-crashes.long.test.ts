import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  gitHandler,
  type HttpsServer,
  startHttpsServer,
} from '@figbase/revisions/testing/git-server'
import { type Author, type Created, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { Bench, until } from './support/launched.js'

/** Kills the process at each step of an import. The import goes on at the next start, and doubles nothing. */
const bench = new Bench(program)
let folder: string
let server: HttpsServer
let crashAt: ReturnType<typeof createCrashAt>
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'figbase-git-'))
  server = await startHttpsServer(gitHandler(folder))
  crashAt = createCrashAt(bench, {
    OUTBOUND_HOSTS_ALLOWED: new URL(server.origin).host,
    GIT_CA_FILE: server.caFile,
  })
})
after(async () => {
  await bench[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

type Counts = { total: number; created: number; changed: number; renamed: number }
type Import = Record<'figures' | 'assets', Counts> & {
  api_id: string
  status: string
  error: string | null
}
type Figure = Created & { name: string; revisions: Created[] }

const files = { 'a.png': 'a picture', 'a.csv': 'x\n1\n', 'b.png': 'another picture' }
let repositories = 0

/** A repository with two pictures, of which one has been imported. */
async function prepare(author: Author, analysis: string) {
  const name = `r${repositories++}`
  const bare = join(folder, name, 'plots.git')
  await mkdir(bare, { recursive: true })
  const git = (args: string[], input = '') =>
    execFileSync('git', ['-C', bare, ...args], { input })
      .toString()
      .trim()
  git(['init', '-q', '--bare', '-b', 'main'])
  const commit = (changes: Record<string, string>, from = '') => {
    const lines = Object.entries(changes).map(
      ([path, text]) => `M 644 inline ${path}\ndata ${text.length}\n${text}\n`,
    )
    git(
      ['fast-import', '--quiet'],
      `commit refs/heads/main\ncommitter Ada <a@x.org> 1700000000 +0000\ndata 1\nc\n${from}${lines.join('')}`,
    )
  }
  commit({ 'c.png': 'the first picture' })
  const { workspace } = await author.json<{ workspace: string }>('GET', `analysis/${analysis}/`)
  const own = await author.json<Created>('POST', 'analysis/', { name, workspace })
  const { api_id: id } = await author.json<Created>(
    'POST',
    `analysis/${own.api_id}/git_repository/`,
    { url: `${server.origin}/${name}/plots.git` },
  )
  await importOnce(author, id)
  commit({ ...files, 'c.png': 'the first picture, changed' }, 'from refs/heads/main^0\n')
  return { id, analysis: own.api_id }
}

/** Starts an import, and waits until all have ended. */
async function importOnce(author: Author, id: string): Promise<void> {
  await author.json('POST', `git_repository/${id}/import/`, {})
  await allEnded(author, id)
}

async function allEnded(author: Author, id: string): Promise<Import[]> {
  let imports: Import[] = []
  await until(async () => {
    imports = await author.json<Import[]>('GET', `git_repository/${id}/import/`)
    return imports.every(({ status }) => !['waiting', 'running'].includes(status))
  }, 'the end of the imports')
  return imports
}

const sumOf = (imports: Import[]) => {
  const of = (kind: 'figures' | 'assets') => {
    const sum = (member: keyof Counts) => imports.reduce((n, one) => n + one[kind][member], 0)
    return { created: sum('created'), changed: sum('changed'), renamed: sum('renamed') }
  }
  return { figures: of('figures'), assets: of('assets') }
}

for (const point of [
  ...around('revisions.import-git'),
  ...transaction('revisions', 2),
  ...around('revisions.write', 4),
  ...around('revisions.CreateNode', 2),
  ...around('revisions.Reserve', 3),
  ...around('revisions.Activate', 3),
  ...around('catalog.write', 3),
]) {
  test(`an import goes on after a kill at ${point}`, async () => {
    await crashAt(
      point,
      prepare,
      (author, { id }) => importOnce(author, id),
      async (author, { id, analysis }) => {
        await allEnded(author, id)
        await importOnce(author, id)
        const imports = await allEnded(author, id)
        const [last] = imports
        assert.deepEqual([last?.status, last?.error, last?.figures.total], ['succeeded', null, 3])
        // Without the first import, and also if the kill was before or after the one that changed something.
        assert.deepEqual(sumOf(imports.slice(0, -1)), {
          figures: { created: 2, changed: 1, renamed: 0 },
          assets: { created: 1, changed: 0, renamed: 0 },
        })
        const { figures: listed, assets } = await author.json<
          Record<'figures' | 'assets', Created[]>
        >('GET', `analysis/${analysis}/`)
        const figures = await Promise.all(
          listed.map(({ api_id }) => author.json<Figure>('GET', `figure/${api_id}/`)),
        )
        assert.deepEqual(
          Object.fromEntries(figures.map(({ name, revisions }) => [name, revisions.length])),
          { a: 1, b: 1, c: 2 },
        )
        assert.equal(assets.length, 1)
      },
    )
  })
}

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Client } from './client.js'
import { deployment } from './deployment.js'
import { png } from './images.js'

export interface GitImport {
  api_id: string
  task: string
  status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  commit: string | null
  error: string | null
  figures: Counts
  assets: Counts
  refused: { path: string; problem: string }[]
  refused_count: number
}

interface Counts {
  total: number
  created: number
  changed: number
  renamed: number
}

export interface GitRepository {
  api_id: string
  url: string
  push_url: string
  last_import: GitImport | null
  host_key_fingerprints: string[]
}

/** The body of a request for a new repository; its address is refused when it is fetched. */
export const repositoryToSend = () => ({ url: 'https://localhost:9/plots.git' })

export async function newRepository(
  me: Client,
  { analysis }: { analysis: string },
  more: object = {},
): Promise<GitRepository & { secret: string }> {
  const body = { ...repositoryToSend(), ...more }
  const path = `analysis/${analysis}/git_repository/`
  return (await me.post<GitRepository & { secret: string }>(path, body, 201)).body
}

/** The files of a commit; null deletes one, and `from` renames one. */
export type Files = Record<string, string | Buffer | null | { from: string }>

export interface TestRepository {
  url: string
  /** Pushes a commit to `main`, and returns its id. */
  commit(files: Files, options?: { message?: string; branch?: string }): string
  /** Runs Git in it. */
  run(...args: string[]): string
}

/** A new repository on the Git server of the tests. */
export function createRepository(): TestRepository {
  const { url, folder } = deployment.git
  assert.ok(url && folder, 'the deployment has a Git server')
  const name = `${randomUUID()}/plots.git`
  const path = join(folder, name)
  const run = (args: string[], input?: Buffer) =>
    execFileSync('git', args, {
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(input && { input }),
    })
      .toString()
      .trim()
  run(['init', '-q', '--bare', '-b', 'main', path])
  let commits = 0
  return {
    url: `${url}/${name}`,
    run: (...args) => run(['-C', path, ...args]),
    commit(files, { message = 'a change', branch = 'main' } = {}) {
      const author = `Ada <ada@example.org> ${1_700_000_000 + 100 * commits} +0000`
      const isFirst = run(['-C', path, 'branch', '--list', branch]) === ''
      commits++
      const head = `commit refs/heads/${branch}\nauthor ${author}\ncommitter ${author}\n`
      const parts = [Buffer.from(`${head}data ${Buffer.byteLength(message)}\n${message}\n`)]
      if (!isFirst) parts.push(Buffer.from(`from refs/heads/${branch}^0\n`))
      for (const [file, content] of Object.entries(files)) {
        if (content === null) parts.push(Buffer.from(`D ${file}\n`))
        else if (typeof content === 'object' && 'from' in content)
          parts.push(Buffer.from(`R ${content.from} ${file}\n`))
        else {
          const bytes = Buffer.from(content)
          parts.push(Buffer.from(`M 644 inline ${file}\ndata ${bytes.length}\n`), bytes)
          parts.push(Buffer.from('\n'))
        }
      }
      run(['-C', path, 'fast-import', '--quiet', '--force'], Buffer.concat(parts))
      return run(['-C', path, 'rev-parse', branch])
    },
  }
}

/** Waits until an import has ended. */
export async function ended(me: Client, repository: string, id: string): Promise<GitImport> {
  for (;;) {
    const { body } = await me.get<GitImport[]>(`git_repository/${repository}/import/`)
    const found = body.find(({ api_id }) => api_id === id)
    if (found && !['waiting', 'running'].includes(found.status)) return found
  }
}

export async function importNow(me: Client, repository: string): Promise<GitImport> {
  const { body } = await me.post<GitImport>(`git_repository/${repository}/import/`, {}, 202)
  return ended(me, repository, body.api_id)
}

/** The id of a repository with an import that left out a path. */
export async function importedRepository(me: Client, analysis: string): Promise<string> {
  const repository = createRepository()
  repository.commit({
    'plots/means.png': png(40, 30),
    'plots/means.csv': 'a,b\n1,2\n',
    '.figbase.yml': 'figures:\n  - path: plots/missing.png\n',
  })
  const { api_id } = await newRepository(me, { analysis }, { url: repository.url })
  await importNow(me, api_id)
  return api_id
}

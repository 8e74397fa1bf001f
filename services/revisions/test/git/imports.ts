import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@connectrpc/connect'
import { NodeType } from '@figbase/proto/catalog'
import { type GitImport, GitImportState, type GitRepository, GitService } from '@figbase/proto/git'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { type Assigning, start } from '../assignments.js'
import { ada, until } from '../service.js'
import { git } from './git.js'
import { gitHandler, type HttpsServer, startHttpsServer } from './https-server.js'

/** The files of a commit; null deletes one, and a path renames one. */
export type Changes = Record<string, string | null | { from: string }>

/** A repository on a server of this machine, and a service that may import it. */
export type Importing = AsyncDisposable &
  Assigning & {
    server: HttpsServer
    client: Client<typeof GitService>
    /** With the fake tasks service. */
    assigning: Assigning
    url: string
    /** Users who may not sign in. */
    inactive: Set<string>
    /** Users whose accounts were deleted. */
    deleted: Set<string>
    /** Pushes a commit to the branch, and returns its id. */
    commit(changes: Changes, message?: string): string
    /** Sends commits as `git fast-import` reads them. */
    send(stream: string): void
    /** Runs Git in the bare repository. */
    run(...args: string[]): string
    register(settings?: Settings): Promise<GitRepository & { pushSecret: string }>
    /** Imports, and returns the import when it has ended. */
    import(repositoryId: string): Promise<GitImport>
    ended(repositoryId: string, importId: string): Promise<GitImport>
  }

type Settings = Omit<Parameters<Client<typeof GitService>['createGitRepository']>[0], '$typeName'>

/** A picture that no program can read, and that is cheap to process. */
export const picture = (text: string): string => `not really a picture: ${text}`

type Options = NonNullable<Parameters<typeof start>[0]> & {
  /** That the server requires. */
  token?: string
}

export async function startImporting(options: Options = {}): Promise<Importing> {
  const root = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  const bare = join(root, 'plots.git')
  git(root, ['init', '-q', '--bare', '-b', 'main', 'plots.git'])
  const server = await startHttpsServer(gitHandler(root, options.token))
  const env = {
    OUTBOUND_HOSTS_ALLOWED: '127.0.0.1',
    GIT_CA_FILE: server.caFile,
    ...options.env,
  }
  const inactive = new Set<string>()
  const deleted = new Set<string>()
  const assigning = await start({
    ...options,
    env,
    others(router) {
      router.service(AccountsService, {
        listCredentials: ({ usernames }) => ({
          users: usernames
            .filter((username) => !inactive.has(username) && !deleted.has(username))
            .map((username) => ({ username })),
        }),
      })
      router.service(IdentityService, {
        listDeletedUsers: ({ usernames }) => ({
          usernames: usernames.filter((username) => deleted.has(username)),
        }),
      })
      options.others?.(router)
    },
  })
  const { bench, analysis } = assigning
  const client = bench.service.client(GitService)
  let commits = 0
  const url = `${server.origin}/plots.git`
  const ended: Importing['ended'] = (repositoryId, importId) =>
    until(async () => {
      const { imports } = await client.listGitImports({ repositoryId }, ada)
      const found = imports.find(({ id }) => id === importId)
      return found?.endedOn && found
    })
  return {
    ...assigning,
    ...{ server, client, assigning, url, inactive, deleted, ended },
    run: (...args) => git(bare, args),
    send: (stream) => void git(bare, ['fast-import', '--quiet', '--force'], stream),
    commit(changes, message = 'a change') {
      commits++
      const author = `Ada <ada@example.org> ${1_700_000_000 + commits * 100} +0000`
      const lines = Object.entries(changes).map(([path, change]) => {
        if (change === null) return `D ${path}`
        if (typeof change === 'object') return `R ${change.from} ${path}`
        return `M 644 inline ${path}\ndata ${Buffer.byteLength(change)}\n${change}`
      })
      const from = commits > 1 ? 'from refs/heads/main^0\n' : ''
      const stream = `commit refs/heads/main
author ${author}
committer ${author}
data ${Buffer.byteLength(message)}
${message}
${from}${lines.join('\n')}
`
      git(bare, ['fast-import', '--quiet', '--force'], stream)
      return git(bare, ['rev-parse', 'main'])
    },
    async register(settings = {}) {
      const target = { targetId: analysis, targetType: NodeType.ANALYSIS, url }
      const answer = await client.createGitRepository({ ...target, ...settings }, ada)
      assert.ok(answer.repository)
      return { ...answer.repository, pushSecret: answer.pushSecret }
    },
    async import(repositoryId) {
      const { import: one } = await client.importGitRepository({ id: repositoryId }, ada)
      assert.ok(one)
      return ended(repositoryId, one.id)
    },
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await rm(root, { recursive: true })
    },
  }
}

/** Throws with the error of an import that failed. */
export function succeeded({ state, error, counts }: GitImport) {
  assert.equal(GitImportState[state], 'SUCCEEDED', error)
  const { $typeName: _, $unknown: __, ...numbers } = counts ?? ({} as never)
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== 0))
}

/** The nodes of a type in the fake catalog, by name, with the number of their revisions. */
export async function namesOf({ bench }: Importing, type: NodeType) {
  const rows = await bench.query<{ parent_id: string; n: number }>(
    'select parent_id, count(*)::int as n from revision group by parent_id',
  )
  const revisions = new Map(rows.map(({ parent_id, n }) => [parent_id, n]))
  const nodes = [...bench.catalog.nodes.values()].filter((node) => node.type === type && node.name)
  return Object.fromEntries(
    nodes
      .map(({ id, name = '' }): [string, number] => [name, revisions.get(id) ?? 0])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export const shaOf = (text: string) => createHash('sha256').update(text).digest('hex')

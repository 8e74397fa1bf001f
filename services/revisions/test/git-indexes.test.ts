import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defineService } from '@figbase/kit/service'
import {
  assertUses,
  plansOf as plansIn,
  startTestService,
  type TestService,
} from '@figbase/kit/testing'
import { sql } from 'kysely'
import { type Ctx, createContext } from '../src/context.js'
import type { Db } from '../src/db/schema.js'
import { revisions } from '../src/index.js'
import { importGit } from '../src/job-names.js'
import {
  listAbandonedImports,
  listImports,
  listNewestImports,
  listWaitingImports,
  lockOpenImport,
  removeOldImports,
} from '../src/queries/git-imports.js'
import { listDue, listOwners, listRepositories } from '../src/queries/git-repositories.js'
import { countChanges, listSlots } from '../src/queries/git-slots.js'
import { createTestCatalog } from './catalog.js'

let service: TestService
let ctx: Ctx
let repository: { id: string; target_id: string }
before(async () => {
  const catalog = createTestCatalog()
  let made: Ctx | undefined
  const watched = defineService({
    ...revisions,
    periodic: [],
    jobs: [],
    context: (kit, cfg) => {
      made = createContext(kit as Ctx, cfg as Ctx['cfg'])
      return made
    },
  })
  service = await startTestService(watched, {
    transport: 'local',
    peers: (router) => void catalog.routes(router),
  })
  assert.ok(made)
  ctx = made
  // 5000 repositories of 1000 targets, of which 50 are due, with 10 imports and 10 slots each; 20 imports are open.
  await sql`
    insert into git_repository (id, target_id, target_type, workspace_id, url, branch, include, exclude, schedule,
      next_import_on, push_secret_sealed, created_by)
    select md5('r' || g)::uuid, md5('t' || g % 1000)::uuid, 'analysis', md5('w' || g % 100)::uuid, 'https://x.org/a', 'main',
           '{}', '{}', '', case when g <= 500 then now() + interval '1 h' * (g - 50) end, '', 'eve'
      from generate_series(1, 5000) g`.execute(ctx.db)
  await sql`
    insert into git_import (id, repository_id, task_id, trigger, created_on, ended_on)
    select gen_random_uuid(), md5('r' || g)::uuid, gen_random_uuid(), 'USER', now() - interval '1 h' * n,
           case when n > 1 or g > 20 then now() end
      from generate_series(1, 5000) g, generate_series(1, 10) n`.execute(ctx.db)
  await sql`
    insert into git_slot (id, repository_id, kind, path, name)
    select gen_random_uuid(), md5('r' || g)::uuid, 'figure', 'p' || n, 'p' || n
      from generate_series(1, 5000) g, generate_series(1, 10) n`.execute(ctx.db)
  await sql`
    insert into job (name, key, payload, priority, turn, state, run_at, attempts_max)
    select 'import-git', task_id::text, '{}', 0, 0, 'delayed', now() + interval '1 d', 1 from git_import`.execute(
    ctx.db,
  )
  await sql`analyze`.execute(ctx.db)
  const { rows } = await sql<typeof repository>`
    select id, target_id from git_repository limit 1`.execute(ctx.db)
  repository = rows[0] ?? repository
})
after(() => service[Symbol.asyncDispose]())

type Case = {
  what: string
  run(tx: Db): Promise<unknown>
  text: RegExp
  values(): string[]
  indexes: string[]
}
const id = () => `'${repository.id}'`

const cases: Case[] = [
  {
    what: 'the repositories of a target',
    run: (tx) => listRepositories(tx, repository.target_id, 10),
    text: /where r\.target_id = \$1/,
    values: () => [`'${repository.target_id}'`, '10'],
    indexes: ['git_repository_target_idx'],
  },
  {
    what: 'the repositories that are due',
    run: (tx) => listDue(tx, 10),
    text: /next_import_on <= now\(\)/,
    values: () => ['10'],
    indexes: ['git_repository_due_idx'],
  },
  {
    what: 'the owners of repositories',
    run: (tx) => listOwners(tx, repository.id, 10),
    text: /where r\.id > \$1/,
    values: () => [id(), '10'],
    indexes: ['git_repository_pkey'],
  },
  {
    what: 'the imports of a repository',
    run: (tx) => listImports(tx, repository.id, 10),
    text: /from git_import i where i\.repository_id = \$1\s+order by/,
    values: () => [id(), '10'],
    indexes: ['git_import_list_idx'],
  },
  {
    what: 'the newest import of repositories',
    run: (tx) => listNewestImports(tx, [repository.id]),
    text: /unnest\(\$1::uuid\[\]\) as wanted/,
    values: () => [`'{${repository.id}}'`],
    indexes: ['git_import_list_idx'],
  },
  {
    what: 'the open import of a repository',
    run: (tx) => lockOpenImport(tx, repository.id),
    text: /ended_on is null for update/,
    values: () => [id()],
    indexes: ['git_import_open_key'],
  },
  {
    what: 'the open imports without a job',
    run: (tx) => listAbandonedImports(tx, importGit.name),
    text: /not exists \(select from job j/,
    values: () => [`'${importGit.name}'`],
    indexes: ['git_import_open_idx', 'job_key_key'],
  },
  {
    what: 'the waiting imports of repositories',
    run: (tx) => listWaitingImports(tx, [repository.id]),
    text: /i\.state = 'WAITING'/,
    values: () => [`'{${repository.id}}'`],
    indexes: ['git_import_open_key'],
  },
  {
    what: 'what an import has changed',
    run: (tx) => countChanges(tx, repository.id, repository.target_id),
    text: /created_by_import is not distinct from \$2/,
    values: () => [id(), `'${repository.target_id}'`],
    indexes: ['git_slot_path_key'],
  },
  {
    what: 'the imports that are removed',
    run: (tx) => removeOldImports(tx, repository.id, 5),
    text: /delete from git_import/,
    values: () => [id(), '5'],
    indexes: ['git_import_list_idx', 'git_import_pkey'],
  },
  {
    what: 'the slots of a repository',
    run: (tx) => listSlots(tx, repository.id),
    text: /from git_slot s where s\.repository_id/,
    values: () => [id(), `''`, `''`, '1000'],
    indexes: ['git_slot_path_key'],
  },
]

for (const { what, run, text, values, indexes } of cases) {
  test(`${what} are read by index`, async () => {
    assertUses(await plansIn(ctx.transact, run, text, values()), indexes)
  })
}

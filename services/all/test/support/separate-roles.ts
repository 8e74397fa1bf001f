import { Lifecycle } from '@figbase/kit/service'
import {
  createTestDatabase,
  pgBouncerSkipReason,
  postgres15SkipReason,
  runSql,
  startPgBouncer,
  startPostgresServer,
} from '@figbase/kit/testing'
import { servicePrograms } from '../../src/programs.js'
import { runCommand } from './command.js'

export const whyWithoutPooler = (): string | false =>
  postgres15SkipReason() || pgBouncerSkipReason()

/** A PostgreSQL 15 behind a PgBouncer, and a database in it. */
export type SeparateRoles = AsyncDisposable & {
  /** URL of the superuser. */
  adminUrl: string
  /** Executes the SQL of `database-roles`, and sets the passwords. */
  createRoles(): Promise<void>
  /** With the placeholder `{service}`. */
  directUrl: string
  pooledUrl: string
}

const password = 'role password'

export async function startSeparateRoles(dir: string): Promise<SeparateRoles> {
  const lifecycle = new Lifecycle()
  try {
    const server = await startPostgresServer()
    lifecycle.onStop(() => server[Symbol.asyncDispose]())
    const { url: adminUrl } = await createTestDatabase(server.url)
    const users = servicePrograms.map(({ name }) => ({ name: `figbase_${name}`, password }))
    const pooler = await startPgBouncer({ url: server.url, users })
    lifecycle.onStop(() => pooler[Symbol.asyncDispose]())
    const direct = new URL(adminUrl)
    direct.username = 'figbase_{service}'
    direct.password = password
    return {
      adminUrl,
      async createRoles() {
        const { output } = await runCommand(dir, ['database-roles'])
        await runSql(adminUrl, output)
        for (const { name } of users) {
          await runSql(adminUrl, `alter role "${name}" password '${password}'`)
        }
      },
      directUrl: direct.href,
      pooledUrl: pooler.through(direct.href),
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

import { Lifecycle } from '@figbase/kit'
import {
  createTestDatabase,
  runSql,
  startPgBouncer,
  startPostgresServer,
  whyWithoutPgBouncer,
  whyWithoutPostgres15,
} from '@figbase/kit/testing'
import { servicePrograms } from '../src/programs.js'
import { runCommand } from './command.js'

export const whyWithoutPooler = (): string | false =>
  whyWithoutPostgres15() || whyWithoutPgBouncer()

/** A PostgreSQL 15 behind a PgBouncer, and a database in it. */
export type SeparateRoles = AsyncDisposable & {
  /** As the superuser. */
  adminUrl: string
  /** Executes what `database-roles` prints, and gives the roles a password. */
  makeRoles(): Promise<void>
  /** `{service}` is left in them. */
  directUrl: string
  pooledUrl: string
}

const password = 'of each of them'

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
      async makeRoles() {
        const { output } = await runCommand(dir, ['database-roles'])
        await runSql(adminUrl, output)
        for (const { name } of users) {
          await runSql(adminUrl, `alter role ${name} password '${password}'`)
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

import { Lifecycle } from '../../src/lifecycle/lifecycle.js'
import { createTestDatabase, runSql, startPgBouncer } from '../../src/testing/index.js'

/** A database with a role that has the settings which the service `shop` needs. */
export type PooledDatabase = AsyncDisposable & {
  /** URL of the superuser. */
  adminUrl: string
  /** URLs of the role, without and with the pooler. */
  directUrl: string
  pooledUrl: string
}

/** Behind a PgBouncer with few server connections, so that sessions change often. */
export async function startPooledDatabase(): Promise<PooledDatabase> {
  const lifecycle = new Lifecycle()
  try {
    const admin = await createTestDatabase()
    const database = new URL(admin.url).pathname.slice(1)
    const role = { name: `shop_${database}`, password: 'open sesame' }
    const server = new URL(admin.url)
    server.pathname = '/postgres'
    lifecycle.onStop(() => runSql(server.href, `drop role ${role.name}`))
    lifecycle.onStop(() => admin[Symbol.asyncDispose]())
    const set = `alter role ${role.name} in database ${database} set`
    await runSql(
      admin.url,
      `create role ${role.name} login password '${role.password}';
       create schema shop authorization ${role.name};
       create schema bus authorization ${role.name};
       ${set} search_path = shop;
       ${set} timezone = 'UTC';
       ${set} jit = off;
       ${set} idle_in_transaction_session_timeout = '1s'`,
    )
    const settings = { default_pool_size: '8' }
    const pooler = await startPgBouncer({ url: admin.url, users: [role], settings })
    lifecycle.onStop(() => pooler[Symbol.asyncDispose]())
    const direct = new URL(admin.url)
    direct.username = role.name
    direct.password = encodeURIComponent(role.password)
    return {
      adminUrl: admin.url,
      directUrl: direct.href,
      pooledUrl: pooler.through(direct.href),
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

import pg from 'pg'
import type { ProductOptions, RunningProduct } from '../../../src/product.js'
import { serveRoutes } from './server.js'

/** A stand-in product in one process: a table with counted rows, and requests with a given duration. */
export async function startStandIn(options: ProductOptions): Promise<RunningProduct> {
  const pool = new pg.Pool({ connectionString: options.databaseUrl })
  pool.on('error', () => {})
  await pool.query('create table if not exists note (id bigint generated always as identity)')
  const count = async () => {
    const { rows } = await pool.query('select count(*)::text as count from note')
    return rows[0]?.count ?? ''
  }
  const write = async () => {
    await pool.query('insert into note default values')
    return count()
  }
  const server = await serveRoutes(Number(options.env.PORT), { '/count': count, '/write': write })
  return {
    url: `http://127.0.0.1:${server.port}`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await pool.query('select 1')
      await pool.end()
      console.log('product stopped')
    },
  }
}

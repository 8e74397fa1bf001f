import pg from 'pg'
import { eventContract } from './contract.js'

eventContract(async () => ({
  async wipe(databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('drop schema if exists bus cascade')
    await client.end()
  },
  async [Symbol.asyncDispose]() {},
}))

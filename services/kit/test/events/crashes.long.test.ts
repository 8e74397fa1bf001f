import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTestDatabase } from '../../src/testing/index.js'
import { type NatsServer, natsSkipReason, startNatsServer } from '../../src/testing/nats-server.js'
import { until } from './contract.js'

const crashes = 50
const processes = 2
const consumers = 2
const program = fileURLToPath(new URL('crashing.js', import.meta.url))

const withNats = { skip: natsSkipReason() }

test(`handles each event once and in order across ${crashes} crashes: PostgreSQL`, async () => {
  await crash()
})

test(
  `after ${crashes} crashes no event is lost, and each has its effect once, in order: NATS`,
  withNats,
  async () => {
    await using server = await startNatsServer()
    await crash(server)
  },
)

async function crash(server?: NatsServer) {
  await using database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('create schema shop')
  await client.query('create table shop.counter (key text primary key, n int not null)')
  const env = { ...process.env, DATABASE_URL: database.url, NATS_URL: server?.url ?? '' }
  const running: ChildProcess[] = []
  try {
    for (let index = 0; index < processes; index++) running.push(await start(env))
    let brokerCrashes = 0
    for (let count = 1; count <= crashes; count++) {
      await sleep(Math.random() * 1500)
      const index = count % processes
      await kill(running[index])
      // Every fifth time also the broker, alternately with and without its state.
      if (server && count % 5 === 0) {
        await (++brokerCrashes % 2 ? server.stop() : server.wipe())
        await server.start()
      }
      running[index] = await start(env)
    }
    for (const one of running) one.send('enough')
    const written = async () =>
      sum(client, 'select coalesce(sum(n), 0)::int as n from shop.counter')
    const effects = async () => sum(client, 'select count(*)::int as n from shop.effect')
    // A broker that lost its state gets all events again, twice for two consumers.
    await until(
      async () =>
        (await effects()) >= consumers * (await written()) &&
        (await sum(client, 'select count(*)::int as n from shop.outbox')) === 0,
      300_000,
    )
    const doubled = await sum(
      client,
      'select count(*)::int as n from (select from shop.effect group by consumer, key, n having count(*) > 1) d',
    )
    const unordered = await sum(
      client,
      `select count(*)::int as n from (
         select n, lag(n, 1, 0) over (partition by consumer, key order by seq) as before from shop.effect) e
        where n <> before + 1`,
    )
    const figures = { written: await written(), effects: await effects(), doubled, unordered }
    console.log(`${crashes} crashes: ${JSON.stringify({ ...figures, brokerCrashes })}`)
    assert.equal(figures.effects, consumers * figures.written)
    assert.deepEqual({ doubled, unordered }, { doubled: 0, unordered: 0 })
    assert.ok(figures.written > 1000, 'there was load')
  } finally {
    for (const one of running) await kill(one)
    await client.end()
  }
}

async function start(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = fork(program, { env })
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  assert.equal(message, 'started')
  return child
}

async function kill(child: ChildProcess | undefined) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function sum(client: pg.Client, text: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(text)
  return rows[0]?.n ?? 0
}

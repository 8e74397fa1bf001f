import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { defineJob } from '../src/jobs/index.js'
import { openQueue } from './queue.js'

/** A process that runs jobs of the queue at `DATABASE_URL` until it is killed. */
const queue = openQueue(process.env.DATABASE_URL ?? '')
const pid = process.pid

const effect = defineJob<object, { n: number }>({
  name: 'effect',
  attemptsMax: 25,
  timeoutMs: 10_000,
  async run(_, { n }) {
    await sql`insert into attempt (n, pid) values (${n}, ${pid})`.execute(queue.db)
    await sleep(40)
    await queue.transact(async (tx) => {
      const done = await sql`insert into effect (n) values (${n}) on conflict do nothing`.execute(
        tx,
      )
      if (done.numAffectedRows) await sql`update total set n = n + 1`.execute(tx)
    })
  },
})

await queue.start([effect], { concurrency: 2 })
process.send?.('ready')

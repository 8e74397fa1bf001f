import { sql } from 'kysely'
import { happened, startShop } from './shop.js'

/**
 * A process that publishes as fast as possible and handles its own events, until it is killed. `counter` has the number
 * of committed events. Some events fail at their first attempt.
 */
const keys = 20
const failing = 0.01

const { DATABASE_URL: databaseUrl = '', NATS_URL: natsUrl = '' } = process.env
process.on('disconnect', () => process.exit())
let publishing = true
process.on('message', () => {
  publishing = false
})

const shop = await startShop({
  databaseUrl,
  natsUrl,
  consumers: {
    note: (_payload, _signal, attempt) => {
      if (attempt === 1 && Math.random() < failing) throw new Error('by chance')
    },
  },
  collecting: {
    tally: {
      look: () => {
        if (Math.random() < failing) throw new Error('by chance')
      },
    },
  },
})
process.send?.('started')

const publishOne = () =>
  shop.kit.transact(async (tx) => {
    const key = `key ${Math.floor(Math.random() * keys)}`
    // Locks the key before it publishes, so that the order is that of the commits.
    const { rows } = await sql<{ n: number }>`insert into counter values (${key}, 1)
      on conflict (key) do update set n = counter.n + 1 returning n`.execute(tx)
    await shop.kit.publish(tx, happened, { name: key, number: rows[0]?.n ?? 0 })
  })

await Promise.all(
  [1, 2, 3].map(async () => {
    while (publishing) await publishOne()
  }),
)

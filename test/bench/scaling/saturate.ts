import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Deployment } from './deployment.js'
import type { MixOperation } from './mix.js'
import { difference, machineMs, totalOf, type UsedByPart } from './parts.js'

/** The mix at full load, with as many clients as saturate this machine. */
export type Saturated = {
  clients: number
  requestsPerSecond: number
  p50Ms: number
  /** CPU of all parts, the load generator and the benchmark, in cores. */
  cores: number
  used: UsedByPart
  /** CPU of other programs, and of other virtual machines, in cores. */
  othersCores: number
  stolenCores: number
  /** What the stores grow by for each request. */
  growthBytes: { PostgreSQL: number; NATS: number }
}

const clients = 16
const warmUpSeconds = 2

export async function saturate(
  { client, natsDir, parts, send, settle }: Deployment,
  mix: MixOperation[],
  seconds: number,
): Promise<Saturated> {
  await send(mix, { seconds: warmUpSeconds, clients })
  await settle()
  const sizes = async () => ({ PostgreSQL: await sizeOf(client), NATS: bytesBelow(natsDir) })
  const sizesBefore = await sizes()
  const [before, machineBefore] = [parts.used(), machineMs()]
  const result = await send(mix, { seconds, clients })
  const used = difference(parts.used(), before)
  const machine = machineMs()
  const coresOf = (ms: number) => ms / 1000 / result.seconds
  const cores = coresOf(totalOf(used))
  await settle()
  const sizesAfter = await sizes()
  const growthOf = (store: 'PostgreSQL' | 'NATS') =>
    (sizesAfter[store] - sizesBefore[store]) / result.requests
  return {
    clients,
    requestsPerSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    cores,
    used: difference(used, {}, result.requests),
    othersCores: Math.max(0, coresOf(machine.busyMs - machineBefore.busyMs) - cores),
    stolenCores: coresOf(machine.stolenMs - machineBefore.stolenMs),
    growthBytes: { PostgreSQL: growthOf('PostgreSQL'), NATS: growthOf('NATS') },
  }
}

async function sizeOf(client: pg.Client): Promise<number> {
  const text = 'select pg_database_size(current_database())::float8 as bytes'
  const { rows } = await client.query<{ bytes: number }>(text)
  return rows[0]?.bytes ?? 0
}

const bytesBelow = (dir: string): number =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from '../topology.js'
import { type Deployment, openDeployment } from './deployment.js'
import { type MixOperation, makeMix } from './mix.js'
import { difference, type UsedByPart, withoutRest } from './parts.js'
import type { S3Use } from './s3-counter.js'
import { type Saturated, saturate } from './saturate.js'
import { logStatements, type Statements } from './statements.js'

/** What one request costs, and what it causes: CPU time, statements, requests to S3. */
export type OperationCost = {
  name: string
  title: string
  share: number
  used: UsedByPart
  statements: Statements
  s3: S3Use
}

export type ScalingReport = {
  /** CPU milliseconds a second without requests. */
  rest: UsedByPart
  operations: OperationCost[]
  saturated: Saturated
}

const restSeconds = 10
const fullLoadSeconds = { quick: 8, full: 30 }
const requestsLogged = 20
const warmUp = 20

/** Measures what each operation of the mix costs in each part of a deployment on this machine, then the mix at full load. */
export async function measureScaling(
  quick: boolean,
  scratch: string,
  progress: Progress,
): Promise<ScalingReport> {
  await using deployment = await openDeployment(scratch)
  const { product, parts, send, settle } = deployment
  const mix = await progress('scaling: fill', () => makeMix(product.url, quick))
  for (const one of mix) await send([one], { requests: warmUp })
  await settle()
  const before = parts.used()
  await sleep(restSeconds * 1000)
  const rest = difference(parts.used(), before, restSeconds)

  const operations: OperationCost[] = []
  for (const operation of mix) {
    const { name, title, share } = operation
    const measure = () => measureOperation(deployment, operation, rest)
    const cost = await progress(`scaling: ${title}`, measure)
    operations.push({ name, title, share, ...cost, statements: {} })
  }
  const seconds = quick ? fullLoadSeconds.quick : fullLoadSeconds.full
  const saturated = await progress('scaling: full load', () => saturate(deployment, mix, seconds))
  await progress('scaling: statements', () => countStatements(deployment, mix, operations))
  return { rest, operations, saturated }
}

async function measureOperation(
  { parts, s3Used, send, settle }: Deployment,
  { target, requests }: MixOperation,
  rest: UsedByPart,
): Promise<Pick<OperationCost, 'used' | 's3'>> {
  const [before, s3Before, start] = [parts.used(), s3Used(), performance.now()]
  await send([{ share: 1, target }], { requests })
  await settle()
  const seconds = (performance.now() - start) / 1000
  const used = withoutRest(difference(parts.used(), before), rest, seconds)
  const s3After = s3Used()
  const each = (key: keyof S3Use) => (s3After[key] - s3Before[key]) / requests
  return {
    used: difference(used, {}, requests),
    s3: { requests: each('requests'), bytesIn: each('bytesIn'), bytesOut: each('bytesOut') },
  }
}

/** Apart from the other measurements, because the log costs CPU time. */
async function countStatements(
  { product, send, settle }: Deployment,
  mix: MixOperation[],
  operations: OperationCost[],
) {
  await using log = await logStatements(product)
  await sleep(1000)
  await log.read()
  await sleep(restSeconds * 1000)
  const rest = await log.read()
  for (const [at, { target }] of mix.entries()) {
    await log.read()
    const start = performance.now()
    await send([{ share: 1, target }], { requests: requestsLogged, clients: 1 })
    await settle()
    const rests = (performance.now() - start) / 1000 / restSeconds
    const operation = operations[at]
    if (!operation) continue
    for (const [service, { count, ms }] of Object.entries(await log.read())) {
      const idle = rest[service] ?? { count: 0, ms: 0 }
      operation.statements[service] = {
        count: Math.max(0, count - idle.count * rests) / requestsLogged,
        ms: Math.max(0, ms - idle.ms * rests) / requestsLogged,
      }
    }
  }
}

import { read, readStats, type Stat, ticksPerSecond, treeOf } from '../processes.js'

/** CPU time in milliseconds. */
export type Used = {
  /** Of the main thread: the event loop of Node.js. */
  loopMs: number
  /** Of the process, with its other threads. */
  ownMs: number
  /** Of its child processes. */
  childrenMs: number
}
export type UsedByPart = Record<string, Used>

/** The parts of a deployment by the ids of their processes. */
export class Parts {
  constructor(readonly roots: Record<string, number>) {}

  /** The CPU time so far. */
  used(): UsedByPart {
    const stats = readStats()
    return Object.fromEntries(
      Object.entries(this.roots).map(([part, root]) => [part, usedBy(root, stats)]),
    )
  }

  totalMs(): number {
    return totalOf(this.used())
  }
}

export const totalOf = (used: UsedByPart): number =>
  Object.values(used).reduce((sum, { ownMs, childrenMs }) => sum + ownMs + childrenMs, 0)

/** `after - before`, divided by `count`. */
export const difference = (after: UsedByPart, before: UsedByPart, count = 1): UsedByPart =>
  mapUsed(after, (used, part, key) => (used[key] - (before[part]?.[key] ?? 0)) / count)

/** What is left without the work of the idle product in `seconds`. */
export const withoutRest = (used: UsedByPart, rest: UsedByPart, seconds: number): UsedByPart =>
  mapUsed(used, (one, part, key) => Math.max(0, one[key] - (rest[part]?.[key] ?? 0) * seconds))

function mapUsed(
  all: UsedByPart,
  map: (used: Used, part: string, key: keyof Used) => number,
): UsedByPart {
  return Object.fromEntries(
    Object.entries(all).map(([part, used]) => [
      part,
      {
        loopMs: map(used, part, 'loopMs'),
        ownMs: map(used, part, 'ownMs'),
        childrenMs: map(used, part, 'childrenMs'),
      },
    ]),
  )
}

function usedBy(root: number, stats: Stat[]): Used {
  const tree = treeOf(root, stats)
  const ownMs = msOf(tree.find(({ pid }) => pid === root)?.ownTicks ?? 0)
  // The parts are child processes of this one.
  const isOurs = root === process.pid
  const allMs = isOurs ? ownMs : msOf(tree.reduce((sum, { ticks }) => sum + ticks, 0))
  const main = read(`/proc/${root}/task/${root}/stat`)
  const fields = main.slice(main.lastIndexOf(')') + 2).split(' ')
  const loopMs = msOf(Number(fields[11] ?? 0) + Number(fields[12] ?? 0))
  return { loopMs, ownMs, childrenMs: allMs - ownMs }
}

const msOf = (ticks: number) => (ticks * 1000) / ticksPerSecond

/** The processes of the product by the name of their service, and the child processes of this one by their program. */
export function findParts(product: number, postgres: number): Record<string, number> {
  const found: Record<string, number> = { PostgreSQL: postgres }
  for (const { pid } of readStats().filter(({ parent }) => parent === product)) {
    const [, name] = /([a-z-]+)\/dist\/src\/main\.js/.exec(commandOf(pid)) ?? []
    if (name) found[name] = pid
  }
  const servers = { NATS: 'nats-server', Redis: 'redis-server', S3: 's3-server.py' }
  for (const { pid } of readStats().filter(({ parent }) => parent === process.pid)) {
    for (const [name, program] of Object.entries(servers)) {
      if (commandOf(pid).includes(program)) found[name] = pid
    }
  }
  return found
}

const commandOf = (pid: number) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

/** The CPU time of the machine so far in milliseconds: of all processes, and taken by other virtual machines. */
export function machineMs(): { busyMs: number; stolenMs: number } {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = read('/proc/stat')
    .split('\n', 1)
    .flatMap((line) => line.trim().split(/\s+/).slice(1).map(Number))
  return { busyMs: msOf(user + nice + system + irq + softirq), stolenMs: msOf(stolen) }
}

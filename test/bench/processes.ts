import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** CPU time in milliseconds, of the servers and of PostgreSQL. */
export type Cpu = { serversMs: number; postgresMs: number }

// USER_HZ, the unit of CPU time on Linux; 100 on all platforms but one.
export const ticksPerSecond = 100

/** The memory of a process, or of all processes of PostgreSQL together; shared memory counts once. */
export type ProcessMemory = { name: string; bytes: number }

export type Stat = {
  pid: number
  parent: number
  /** With those of child processes that have exited. */
  ticks: number
  /** Without them. */
  ownTicks: number
}

/** The process trees of one or two servers, and of their PostgreSQL. */
export class ProcessTrees {
  constructor(
    readonly servers: number,
    readonly postgres: number,
    readonly another?: number,
  ) {}

  /** The CPU time so far, including that of child processes that have exited. */
  cpu(): Cpu {
    const stats = readStats()
    const postgres = treeOf(this.postgres, stats)
    const roots = this.another === undefined ? [this.servers] : [this.servers, this.another]
    const servers = roots
      .flatMap((root) => treeOf(root, stats))
      .filter((stat) => !postgres.includes(stat))
    return { serversMs: millisecondsOf(servers), postgresMs: millisecondsOf(postgres) }
  }

  /** Memory in bytes; shared memory counts once. */
  memory(): number {
    const stats = readStats()
    const trees = [...treeOf(this.servers, stats), ...treeOf(this.postgres, stats)]
    const pids = new Set(trees.map((stat) => stat.pid))
    return [...pids].reduce((sum, pid) => sum + proportionalBytes(pid), 0)
  }

  /** The memory of each server process, by its program, and of PostgreSQL. */
  memories(): ProcessMemory[] {
    const stats = readStats()
    const postgres = treeOf(this.postgres, stats)
    const servers = treeOf(this.servers, stats).filter((stat) => !postgres.includes(stat))
    return [
      ...servers.map(({ pid }) => ({ name: programOf(pid), bytes: proportionalBytes(pid) })),
      {
        name: 'PostgreSQL',
        bytes: postgres.reduce((sum, { pid }) => sum + proportionalBytes(pid), 0),
      },
    ]
  }
}

/** The file name of the program that Node.js runs. */
const programOf = (pid: number) =>
  read(`/proc/${pid}/cmdline`)
    .split('\0')
    .map((argument) => basename(argument))
    .find((name) => /\.m?js$/.test(name)) ?? `process ${pid}`

export function treeOf(root: number, stats: Stat[]): Stat[] {
  const tree = stats.filter((stat) => stat.pid === root)
  // The loop also visits the pushed elements.
  for (const { pid } of tree) tree.push(...stats.filter((stat) => stat.parent === pid))
  return tree
}

const millisecondsOf = (stats: Stat[]) =>
  (stats.reduce((sum, stat) => sum + stat.ticks, 0) * 1000) / ticksPerSecond

export function readStats(): Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = read(`/proc/${name}/stat`)
      // The program name in parentheses may contain any characters.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const [own = 0, ended = 0] = [fields.slice(11, 13), fields.slice(13, 15)].map((some) =>
        some.reduce((sum, field) => sum + Number(field), 0),
      )
      const ticks = { ticks: own + ended, ownTicks: own }
      return text ? [{ pid: Number(name), parent: Number(fields[1]), ...ticks }] : []
    })
}

function proportionalBytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

/** Empty if there is no such file: a process may exit before its files are read. */
export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

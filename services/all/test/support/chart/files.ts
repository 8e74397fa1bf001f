import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../readmes/documents.js'

export const chartDir = join(root, 'deploy', 'helm', 'figbase')

export const readChart = (name: string): string => readFileSync(join(chartDir, name), 'utf8')

type Server = { when: string; ports: number[]; secrets: string[]; bundled?: string }

/** `files/processes.yaml`. */
export type ProcessTable = {
  ports: Record<string, { setting: string; host: string }>
  processes: Record<string, { ports: string[]; calls: string[]; servers: string[] }>
  servers: Record<string, Server>
  secrets: Record<string, string[]>
  managed: Record<string, string>
}

export const table: ProcessTable = parse(readChart('files/processes.yaml'))

/** The names of all secrets. */
export const secretNames: string[] = [
  ...Object.keys(table.secrets),
  ...Object.values(table.servers).flatMap(({ secrets }) => secrets),
].sort()

/** The processes of `mode: distributed`, and the one of `mode: allInOne`. */
export const servicesAndGateway: string[] = Object.keys(table.processes).filter(
  (name) => !['all', 'migrate', 'maintenance', 'backup', 'test'].includes(name),
)

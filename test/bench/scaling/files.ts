import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { ScalingReport } from './measure-scaling.js'

/** What `npm run bench -- --only scaling --json …` writes, as far as the page needs it. */
export type Measured = {
  machine: { cores: number; model: string; node: string; date: string; commit: string }
  scaling: ScalingReport
}

const inRoot = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

export const scalingFiles: Record<
  'page' | 'picture' | 'measured' | 'values' | 'schema' | 'dashboard',
  string
> = {
  page: inRoot('deploy/scaling.md'),
  picture: inRoot('deploy/scaling.svg'),
  measured: inRoot('test/bench/scaling/measured.json'),
  values: inRoot('deploy/helm/figbase/values.yaml'),
  schema: inRoot('deploy/helm/figbase/values.schema.json'),
  dashboard: inRoot('deploy/helm/figbase/files/dashboard.json'),
}

export const readMeasured = (): Measured =>
  JSON.parse(readFileSync(scalingFiles.measured, 'utf8')) as Measured

const units: Record<string, number> = { Mi: 2 ** 20, Gi: 2 ** 30 }

/** The memory that the chart requests for a replica of each service, in bytes. */
export function readMemoryRequests(): (service: string) => number {
  const { defaults, processes } = parse(readFileSync(scalingFiles.values, 'utf8')) as ChartValues
  return (service) => {
    const own = processes[service]?.resources?.requests?.memory
    const [, number, unit = ''] =
      /^(\d+)(\w+)$/.exec(own ?? defaults.resources.requests.memory) ?? []
    return Number(number) * (units[unit] ?? Number.NaN)
  }
}

type Resources = { requests: { memory: string } }
type ChartValues = {
  defaults: { resources: Resources }
  processes: Record<string, { resources?: Resources } | undefined>
}

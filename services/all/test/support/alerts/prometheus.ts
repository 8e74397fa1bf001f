import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@figbase/kit/net'
import { until } from '../launched.js'
import { type Rule, ruleFile } from './rules.js'

/** Targets with the labels that the Prometheus operator would give them. */
export type Target = { port: number; labels: Record<string, string> }

export type Prometheus = AsyncDisposable & {
  /** The names of the alerts that fire. */
  firing(): Promise<string[]>
  /** The names of the labels of a metric; none if nothing exports it. */
  labelsOf(metric: string): Promise<Set<string>>
  /** The first value of a query. */
  query(expr: string): Promise<number | undefined>
}

type Alert = { state: string; labels: { alertname: string } }
type Sample = { value: [time: number, text: string] }

/** Why tests with Prometheus are skipped; false if it is installed. Throws in CI, where it must be installed. */
export function prometheusSkipReason(): string | false {
  if (spawnSync('promtool', ['--version']).status === 0) return false
  if (process.env.FIGBASE_CI) throw new Error('prometheus is missing: .ci/run installs it')
  return 'prometheus is not installed (Debian: apt-get install --no-install-recommends prometheus)'
}

/** Scrapes the targets, and evaluates the rules, every second. */
export async function startPrometheus(targets: Target[], rules: Rule[]): Promise<Prometheus> {
  const dir = await mkdtemp(join(tmpdir(), 'figbase-prometheus-'))
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(dir, 'rules.yaml')],
    scrape_configs: [
      {
        job_name: 'figbase',
        static_configs: targets.map(({ port, labels }) => ({
          targets: [`127.0.0.1:${port}`],
          labels,
        })),
      },
    ],
  }
  await writeFile(join(dir, 'rules.yaml'), ruleFile(rules))
  await writeFile(join(dir, 'prometheus.yaml'), JSON.stringify(config))
  const url = `http://127.0.0.1:${await freePort()}`
  const flags = {
    'config.file': join(dir, 'prometheus.yaml'),
    'storage.tsdb.path': join(dir, 'data'),
    'web.listen-address': new URL(url).host,
    'log.level': 'warn',
  }
  const child = spawn(
    'prometheus',
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const get = async <T>(path: string) =>
    ((await (await fetch(url + path)).json()) as { data: T }).data
  await until(
    () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'Prometheus',
  )
  const query = async (expr: string) => {
    const path = `/api/v1/query?query=${encodeURIComponent(expr)}`
    const { result } = await get<{ result: Sample[] }>(path)
    return result[0] && Number(result[0].value[1])
  }
  // It discovers its targets some seconds after it is ready.
  const areScraped = async () => (await query('count(up == 1)')) === targets.length
  await until(areScraped, 'all targets to be scraped')
  return {
    query,
    async firing() {
      const { alerts } = await get<{ alerts: Alert[] }>('/api/v1/alerts')
      const names = alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => labels.alertname)
      return [...new Set(names)].sort()
    },
    async labelsOf(metric) {
      const series = await get<object[]>(`/api/v1/series?match[]=${metric}`)
      return new Set(series.flatMap((labels) => Object.keys(labels)))
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(dir, { recursive: true, force: true })
    },
  }
}

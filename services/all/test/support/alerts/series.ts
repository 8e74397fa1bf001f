import { namespace } from '../chart/helm.js'

type Series = Record<string, string>

type RuleTest = {
  name: string
  /** Values by series, one a minute, in the notation of promtool: `0+60x30` rises by 60, `1x30` stays. */
  series: Series
  /** What fires at the time in minutes: labels by alert. */
  at: Record<number, Record<string, Record<string, string>[]>>
}

const of = (name: string, labels: Record<string, string> = {}) => {
  const all = { namespace, pod: 'a', ...labels }
  const inner = Object.entries(all).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${inner.join(',')}}`
}
const requests = (status: string) => of('figbase_http_requests_total', { status })
const seconds = (route: string, le: string) =>
  of('figbase_http_request_duration_seconds_bucket', { method: 'GET', route, le })
const alive = (job: string) => of('figbase_event_loop_delay_seconds_count', { job, pod: job })
const delay = (pod: string, le: string) =>
  of('figbase_event_loop_delay_seconds_bucket', { pod, le })
const cronJob = (what: string, cronjob: string) => of(`kube_cronjob_${what}`, { cronjob })

const warning = { severity: 'warning' }
const critical = { severity: 'critical' }

/** What cannot be shown in the time of a test with a product: real times, little load, long requests, replicas. */
const all: RuleTest[] = [
  {
    name: 'errors: 10 % for 5 minutes',
    series: { [requests('500')]: '0+60x30', [requests('200')]: '0+540x30' },
    at: { 4: { FigbaseErrors: [] }, 7: { FigbaseErrors: [critical] } },
  },
  {
    name: 'errors: 4 %',
    series: { [requests('500')]: '0+40x30', [requests('200')]: '0+960x30' },
    at: { 20: { FigbaseErrors: [] } },
  },
  {
    name: 'errors: one of two requests a minute at night, and clients that disconnect',
    series: {
      [requests('503')]: '0+1x30',
      [requests('200')]: '0+1x30',
      [requests('499')]: '0+60x30',
    },
    at: { 20: { FigbaseErrors: [] } },
  },
  {
    name: 'slow: reads',
    series: {
      [seconds('/api/:version/figure/', '5')]: '0+90x40',
      [seconds('/api/:version/figure/', '10')]: '0+100x40',
      [seconds('/api/:version/figure/', '+Inf')]: '0+100x40',
    },
    at: { 12: { FigbaseSlow: [] }, 20: { FigbaseSlow: [warning] } },
  },
  ...['events', 'data/:id', 'user/:username/export', 'story/:id/export/:export_id'].map(
    (path): RuleTest => ({
      name: `slow: not ${path}`,
      series: {
        [seconds(`/api/:version/${path}/`, '5')]: '0x40',
        [seconds(`/api/:version/${path}/`, '+Inf')]: '0+100x40',
        [seconds('/api/:version/figure/', '5')]: '0+10x40',
        [seconds('/api/:version/figure/', '+Inf')]: '0+10x40',
      },
      at: { 30: { FigbaseSlow: [] } },
    }),
  ),
  {
    name: 'missing: everything',
    series: { [of('up')]: '0x40' },
    at: {
      9: { FigbaseMetricsMissing: [] },
      10: { FigbaseMetricsMissing: [{ ...critical, namespace }] },
    },
  },
  {
    name: 'missing: all of a kind, for an hour; not one of two replicas',
    series: {
      [alive('catalog')]: '0+1x70 _x200',
      [alive('gateway')]: '0+1x270',
      [of('figbase_event_loop_delay_seconds_count', { job: 'gateway', pod: 'b' })]: '0+1x70 _x200',
    },
    at: {
      79: { FigbaseMetricsMissing: [] },
      90: { FigbaseMetricsMissing: [{ ...critical, job: 'catalog' }] },
      150: { FigbaseMetricsMissing: [] },
    },
  },
  {
    name: 'unavailable: critical only if required; not for a restart',
    series: {
      [of('figbase_dependency_available', { name: 'catalog database', required: 'true' })]:
        '1x4 0x20',
      [of('figbase_dependency_available', { name: 'Redis', required: 'false' })]: '1x4 0x20',
      [of('figbase_dependency_available', { name: 'NATS', required: 'false' })]: '1x4 0x3 1x20',
    },
    at: {
      9: { FigbaseServerUnavailable: [] },
      12: {
        FigbaseServerUnavailable: [
          { ...critical, name: 'catalog database', required: 'true' },
          { ...warning, name: 'Redis', required: 'false' },
        ],
      },
    },
  },
  {
    name: 'pool: of the worst replica, not the sum',
    series: {
      [of('figbase_db_pool_waiting', { service: 'catalog', pool: 'requests', pod: 'a' })]: '8x30',
      [of('figbase_db_pool_waiting', { service: 'catalog', pool: 'requests', pod: 'b' })]: '8x30',
      [of('figbase_db_pool_waiting', { service: 'search', pool: 'jobs' })]: '11x30',
    },
    at: {
      10: { FigbaseDatabasePoolExhausted: [{ ...warning, service: 'search', pool: 'jobs' }] },
    },
  },
  {
    name: 'delays: 10 and 40 minutes',
    series: {
      [of('figbase_outbox_oldest_waiting_seconds', { service: 'catalog' })]: '0+60x60',
      [of('figbase_jobs_oldest_waiting_seconds', { service: 'search', name: 'read' })]: '0+60x60',
    },
    at: {
      9: { FigbaseEventsDelayed: [] },
      12: { FigbaseEventsDelayed: [{ ...critical, service: 'catalog' }], FigbaseJobsDelayed: [] },
      42: { FigbaseJobsDelayed: [{ ...warning, service: 'search', name: 'read' }] },
    },
  },
  {
    name: 'dead: letters until they are replayed; jobs only while they die, counted by both replicas',
    series: {
      [of('figbase_events_dead', { service: 'tasks', consumer: 'live' })]: '0x9 1x30 0x120',
      [of('figbase_jobs_dead', { service: 'identity', name: 'mail', pod: 'a' })]: '0x9 20x200',
      [of('figbase_jobs_dead', { service: 'identity', name: 'mail', pod: 'b' })]: '0x9 20x200',
      [of('figbase_jobs_dead', { service: 'search', name: 'old' })]: '500x200',
      [of('figbase_jobs_dead', { service: 'search', name: 'few' })]: '0x9 6x200',
    },
    at: {
      12: { FigbaseDeadLettersOrJobs: [] },
      20: {
        FigbaseDeadLettersOrJobs: [
          { ...warning, service: 'tasks', consumer: 'live' },
          { ...warning, service: 'identity', name: 'mail' },
        ],
      },
      60: { FigbaseDeadLettersOrJobs: [] },
    },
  },
  {
    name: 'event loop: of one pod among many',
    series: {
      [delay('a', '1')]: '0+500x40',
      [delay('a', '5')]: '0+520x40',
      [delay('a', '+Inf')]: '0+520x40',
      [delay('b', '1')]: '0+600x40',
      [delay('b', '5')]: '0+600x40',
      [delay('b', '+Inf')]: '0+600x40',
    },
    at: {
      8: { FigbaseEventLoopBlocked: [] },
      15: { FigbaseEventLoopBlocked: [{ ...warning, pod: 'a' }] },
    },
  },
  {
    name: 'CronJobs: failed, never successful, running, and those of others',
    series: {
      [cronJob('created', 'figbase-backup')]: '100x500',
      [cronJob('status_last_schedule_time', 'figbase-backup')]: '7000x500',
      [cronJob('status_last_successful_time', 'figbase-backup')]: '5000x500',
      [cronJob('created', 'figbase-fsck')]: '100x500',
      [cronJob('status_last_schedule_time', 'figbase-fsck')]: '7000x500',
      [cronJob('created', 'figbase-collect')]: '100x500',
      [cronJob('status_last_schedule_time', 'figbase-collect')]: '7000x500',
      [cronJob('status_last_successful_time', 'figbase-collect')]: '5000x200 9000x300',
      [cronJob('created', 'reports')]: '100x500',
      [cronJob('status_last_schedule_time', 'reports')]: '7000x500',
    },
    at: {
      350: { FigbaseCronJobFailed: [] },
      370: {
        FigbaseCronJobFailed: [
          { ...critical, cronjob: 'figbase-backup' },
          { ...critical, cronjob: 'figbase-fsck' },
        ],
      },
    },
  },
]

/** A file for `promtool test rules`. Annotations are part of what promtool compares, so the summaries are written here. */
export const ruleTests = (rulesFile: string) => ({
  rule_files: [rulesFile],
  evaluation_interval: '1m',
  tests: all.map(({ name, series, at }) => ({
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    alert_rule_test: Object.entries(at).flatMap(([minute, alerts]) =>
      Object.entries(alerts).map(([alertname, expected]) => ({
        eval_time: `${minute}m`,
        alertname,
        exp_alerts: expected.map((labels) => ({
          exp_labels: labels,
          exp_annotations: annotationsOf(alertname, labels),
        })),
      })),
    ),
  })),
})

const summaries: Record<string, (labels: Record<string, string>) => string> = {
  FigbaseErrors: () => 'More than 5 % of the requests fail',
  FigbaseSlow: () => 'One of twenty reads takes more than 5 s',
  FigbaseMetricsMissing: ({ job }) => `No process${job ? ` of ${job}` : ''} reports metrics`,
  FigbaseServerUnavailable: ({ name }) => `${name} is unavailable`,
  FigbaseDatabasePoolExhausted: ({ service }) =>
    `Requests of ${service} wait for connections to the database`,
  FigbaseEventsDelayed: ({ service }) => `Events of ${service} wait for more than 5 minutes`,
  FigbaseJobsDelayed: ({ service, name }) =>
    `Jobs ${name} of ${service} wait for more than 30 minutes`,
  FigbaseDeadLettersOrJobs: ({ service, consumer, name }) =>
    `${consumer ? `Events for ${consumer}` : `Jobs ${name}`} of ${service} failed in every attempt`,
  FigbaseEventLoopBlocked: ({ pod }) => `${pod} is overloaded`,
  FigbaseCronJobFailed: ({ cronjob }) => `The last run of ${cronjob} has failed`,
}

const annotationsOf = (alert: string, labels: Record<string, string>) => ({
  summary: summaries[alert]?.(labels),
  runbook: `deploy/alerts.md#${alert.toLowerCase()}`,
})

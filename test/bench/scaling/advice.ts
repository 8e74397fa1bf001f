/** What an operator looks at and turns, by part; the metric is one of the dashboard. */
export type Advice = { metric: string; turn: string }

const eventLoop = 'figbase_event_loop_delay_seconds'
const replicas = (name: string) => `\`processes.${name}.replicas\``

export const advice: Record<string, Advice> = {
  gateway: { metric: eventLoop, turn: '`processes.gateway.autoscaling`' },
  identity: {
    metric: eventLoop,
    turn: `${replicas('identity')}; password hashes: \`PASSWORD_HASH_CONCURRENCY\``,
  },
  catalog: { metric: eventLoop, turn: '`processes.catalog.autoscaling`' },
  revisions: { metric: eventLoop, turn: `${replicas('revisions')}; large files: \`HASH_THREADS\`` },
  comments: { metric: eventLoop, turn: replicas('comments') },
  'stories-ai': { metric: eventLoop, turn: replicas('stories-ai') },
  search: { metric: eventLoop, turn: `${replicas('search')}; words elsewhere: \`TYPESENSE_URL\`` },
  tasks: {
    metric: eventLoop,
    turn: `${replicas('tasks')}: one for each \`EVENT_STREAMS_MAX\` open streams`,
  },
  compute: { metric: eventLoop, turn: `${replicas('compute')}, by the number of open notebooks` },
  drawings: {
    metric: 'figbase_jobs_oldest_waiting_seconds',
    turn: '`RENDER_CONCURRENCY`, `TEXT_CONCURRENCY`, `JOB_CONCURRENCY` of revisions',
  },
  models: {
    metric: 'figbase_jobs_oldest_waiting_seconds',
    turn: '`OCR_CONCURRENCY` of search, or none with `OCR_ENABLED`; models elsewhere: `EMBEDDER_URL`',
  },
  PostgreSQL: {
    metric: 'figbase_db_pool_waiting',
    turn: 'cores of its server; then [a server for each schema](#a-server-for-each-schema)',
  },
  connections: {
    metric: 'figbase_db_pool_connections',
    turn: '`DATABASE_CONNECTIONS_MAX`; a pooler with `DATABASE_DIRECT_URL`',
  },
  NATS: {
    metric: 'figbase_outbox_oldest_waiting_seconds',
    turn: 'cores and disk of its server; `EVENT_CONCURRENCY`',
  },
  Redis: {
    metric: 'figbase_http_request_duration_seconds',
    turn: 'a faster core: it has one thread',
  },
  S3: {
    metric: 'figbase_http_request_duration_seconds',
    turn: 'nodes of its server; `S3_PART_BYTES` for large files',
  },
}

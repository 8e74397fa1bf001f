import type { EnvReader } from '@figbase/kit/config'
import { readShutdownTimeout } from '@figbase/kit/operations'
import { readBillingProvider, readComputeDriver } from '@figbase/kit/settings'
import { readTrustedProxies } from './http/client-address.js'
import { readDeprecations } from './http/deprecation.js'

export const readConfig = (env: EnvReader) => ({
  host: env.text('HOST', '127.0.0.1', 'the address to listen on'),
  port: env.port('PORT', 8000, 'the port to listen on; 0: the system chooses one'),
  publicUrl: env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy'),
  trustedProxies: readTrustedProxies(env),
  environment: env.text(
    'ENVIRONMENT',
    'self-hosted',
    'the name of the environment, as `info/` shows it',
  ),
  computeDriver: readComputeDriver(env),
  billingProvider: readBillingProvider(env),
  jsonBodyBytesMax: env.bytes(
    'JSON_BODY_BYTES_MAX',
    '1MiB',
    'maximum size of an ordinary JSON body',
  ),
  gitPushBytesMax: env.bytes(
    'GIT_PUSH_BYTES_MAX',
    '4MiB',
    'maximum size of a webhook of a Git server; at most 7MiB',
  ),
  uploadBodyBytesMax: env.bytes(
    'UPLOAD_BODY_BYTES_MAX',
    '8GiB',
    'maximum size of a body that carries data (base64 is a third longer than the data)',
  ),
  uploadBytesMax: env.bytes('UPLOAD_BYTES_MAX', '64GiB', 'maximum decoded size of one revision'),
  memberBytesMax: env.bytes(
    'UPLOAD_MEMBER_BYTES_MAX',
    '4MiB',
    'maximum size of one member of such a body other than data, for example `metadata`, and of a profile picture in a form',
  ),
  uploadObjectsMax: env.int(
    'UPLOAD_OBJECTS_MAX',
    10_000,
    'maximum number of data objects in one body',
  ),
  searchImageBytesMax: env.bytes(
    'SEARCH_IMAGE_BYTES_MAX',
    '6MiB',
    'maximum decoded size of a picture that is searched for; at most 7MiB',
  ),
  jsonValuesMax: env.int(
    'JSON_VALUES_MAX',
    50_000,
    'maximum number of values in an ordinary JSON body',
  ),
  keyedAnswerBytesMax: env.bytes(
    'IDEMPOTENT_ANSWER_BYTES_MAX',
    '256KiB',
    'maximum size of the stored answer to a request with an `Idempotency-Key`; if it is larger, a repetition gets the current state of what was created',
  ),
  jsonDepthMax: env.int('JSON_DEPTH_MAX', 100, 'maximum nesting depth of a body'),
  bodyIdleTimeoutMs: env.duration(
    'BODY_IDLE_TIMEOUT',
    '30s',
    'how long a client may pause while it sends a body',
  ),
  bodyBytesPerSecondMin: env.bytes(
    'BODY_BYTES_PER_SECOND_MIN',
    '1KiB',
    'minimum throughput of a body in bytes per second, on average over `BODY_RATE_WINDOW`; 0: no limit',
  ),
  bodyRateWindowMs: env.duration(
    'BODY_RATE_WINDOW',
    '60s',
    'the time over which the throughput of a body is averaged',
  ),
  refusedBodyTimeoutMs: env.duration(
    'REFUSED_BODY_TIMEOUT',
    '5s',
    'how long the rest of a rejected body is still read, so that the client receives the response',
  ),
  refusedBodyBytesMax: env.bytes(
    'REFUSED_BODY_BYTES_MAX',
    '256MiB',
    'how much of a rejected body is still read, so that the client receives the response',
  ),
  headersTimeoutMs: env.duration(
    'HEADERS_TIMEOUT',
    '20s',
    'timeout for the headers of a request; for the first request it starts when the connection opens',
  ),
  headerBytesMax: env.bytes(
    'HEADER_BYTES_MAX',
    '16KiB',
    'maximum size of all headers of a request',
  ),
  connectionsMax: env.int(
    'CONNECTIONS_MAX',
    15_000,
    'maximum number of open connections; further ones are closed at once',
  ),
  callTimeoutMs: env.duration('CALL_TIMEOUT', '30s', 'timeout of calls to the services'),
  idleTimeoutMs: env.duration(
    'IDLE_TIMEOUT',
    '120s',
    'how long a connection may be idle, for example because the client does not read',
  ),
  keepAliveTimeoutMs: env.duration(
    'KEEP_ALIVE_TIMEOUT',
    '75s',
    'how long an idle connection is kept open for the next request; must be longer than that of a proxy in front; `Keep-Alive` asks clients to close theirs after half of it, or of `SHUTDOWN_DELAY` if that is shorter',
  ),
  pageItemsMax: env.int(
    'PAGE_ITEMS_MAX',
    60,
    'maximum number of items that a list on an HTML page shows; it gives the number of the others',
  ),
  pagePictureMaxAgeMs: env.duration(
    'PAGE_PICTURE_MAX_AGE',
    '1d',
    'how long a browser may keep a picture of an HTML page that does not change; it shows it again without a request, also if the object is no longer shared',
  ),
  pageFiguresMax: env.int(
    'PAGE_FIGURES_MAX',
    20,
    'maximum number of figures that are published at once on an HTML page without its script',
  ),
  pageUploadBytesMax: env.bytes(
    'PAGE_UPLOAD_BYTES_MAX',
    '8MiB',
    'maximum size of the files, together, that are published on an HTML page; they are held in memory',
  ),
  pageTextBytesMax: env.bytes(
    'PAGE_TEXT_BYTES_MAX',
    '256KiB',
    'maximum total size of the code and texts that the HTML page of a revision shows; the rest can be downloaded',
  ),
  pageHighlightTimeoutMs: env.duration(
    'PAGE_HIGHLIGHT_TIMEOUT',
    '100ms',
    'how long the code of one HTML page is highlighted; the rest is shown plain',
  ),
  pageDiffTimeoutMs: env.duration(
    'PAGE_DIFF_TIMEOUT',
    '100ms',
    'how long the HTML page that compares two revisions computes their differences; it says which ones it does not show',
  ),
  pageTableBytesMax: env.bytes(
    'PAGE_TABLE_BYTES_MAX',
    '640KiB',
    'maximum total size of the beginnings of the tables that an HTML page shows or compares',
  ),
  pageTableRowsMax: env.int(
    'PAGE_TABLE_ROWS_MAX',
    20,
    'maximum number of rows of a table that an HTML page shows',
  ),
  pageParquetTimeoutMs: env.duration(
    'PAGE_PARQUET_TIMEOUT',
    '2s',
    'timeout for reading a Parquet table that an HTML page shows',
  ),
  pageParquetMemoryBytesMax: env.bytes(
    'PAGE_PARQUET_MEMORY_BYTES_MAX',
    '256MiB',
    'maximum memory of the child process that reads Parquet tables for HTML pages; if it takes more it is killed, and the table is not shown',
  ),
  pageJsonValuesMax: env.int(
    'PAGE_JSON_VALUES_MAX',
    1000,
    'maximum number of values of a JSON document that an HTML page shows',
  ),
  pageCommentBytesMax: env.bytes(
    'PAGE_COMMENT_BYTES_MAX',
    '64KiB',
    'maximum total size of the comments that an HTML page shows, before rendering',
  ),
  eventHeartbeatMs: env.duration(
    'EVENT_HEARTBEAT',
    '15s',
    'interval of the heartbeats of an event stream; each one checks the credentials again',
  ),
  isTraceParentTrusted: env.bool(
    'TRACE_PARENT_TRUSTED',
    false,
    'whether to continue the trace of a `traceparent` request header, which decides what is recorded; only if every request comes through your own proxy, which sets or removes the header',
  ),
  batchRequestsMax: env.int('BATCH_REQUESTS_MAX', 100, 'maximum number of requests in a batch'),
  batchAnswerBytesMax: env.bytes(
    'BATCH_ANSWER_BYTES_MAX',
    '8MiB',
    'maximum size of all responses of a batch together',
  ),
  batchTimeoutMs: env.duration('BATCH_TIMEOUT', '30s', 'timeout of a batch'),
  deprecations: readDeprecations(env),
  shutdownTimeoutMs: readShutdownTimeout(env),
})
export type Config = Readonly<ReturnType<typeof readConfig>>

import { type EnvReader, readShutdownTimeout } from '@figbase/kit'
import { readTrustedProxies } from './http/address.js'

export const readConfig = (env: EnvReader) => ({
  host: env.text('HOST', '127.0.0.1', 'the address on which people reach Figbase'),
  port: env.port('PORT', 8000, 'its port; 0: the system chooses'),
  publicUrl: env.url('PUBLIC_URL', '', 'the address of Figbase as people see it, behind a proxy'),
  trustedProxies: readTrustedProxies(env),
  environment: env.text('ENVIRONMENT', 'self-hosted', 'the word that `info/` shows'),
  jsonBodyBytesMax: env.bytes('JSON_BODY_BYTES_MAX', '1MiB', 'size of an ordinary JSON body'),
  uploadBodyBytesMax: env.bytes(
    'UPLOAD_BODY_BYTES_MAX',
    '8GiB',
    'size of a body that carries data (base64 is a third longer than the data)',
  ),
  uploadBytesMax: env.bytes('UPLOAD_BYTES_MAX', '64GiB', 'decoded bytes of one revision at most'),
  memberBytesMax: env.bytes(
    'UPLOAD_MEMBER_BYTES_MAX',
    '4MiB',
    'size of one member of such a body that is not data, for example `metadata`',
  ),
  uploadObjectsMax: env.int('UPLOAD_OBJECTS_MAX', 10_000, 'data objects in one body'),
  jsonValuesMax: env.int('JSON_VALUES_MAX', 50_000, 'values in an ordinary JSON body'),
  jsonDepthMax: env.int('JSON_DEPTH_MAX', 100, 'levels of nesting in a body'),
  bodyIdleTimeoutMs: env.duration(
    'BODY_IDLE_TIMEOUT',
    '30s',
    'how long the sender of a body may be silent in the middle of it',
  ),
  bodyBytesPerSecondMin: env.bytes(
    'BODY_BYTES_PER_SECOND_MIN',
    '1KiB',
    'what must come of a body in a second, on average over `BODY_RATE_WINDOW`; 0: no limit',
  ),
  bodyRateWindowMs: env.duration(
    'BODY_RATE_WINDOW',
    '60s',
    'the time over which the rate of a body is averaged',
  ),
  refusedBodyTimeoutMs: env.duration(
    'REFUSED_BODY_TIMEOUT',
    '5s',
    'how long a body that was refused is still read, so that its sender sees the answer',
  ),
  refusedBodyBytesMax: env.bytes(
    'REFUSED_BODY_BYTES_MAX',
    '256MiB',
    'how much of a body that was refused is still read, so that its sender sees the answer',
  ),
  headersTimeoutMs: env.duration(
    'HEADERS_TIMEOUT',
    '20s',
    'how long the headers of a request may take, from the opening of a connection if they are its first',
  ),
  headerBytesMax: env.bytes('HEADER_BYTES_MAX', '16KiB', 'size of all headers of a request'),
  connectionsMax: env.int(
    'CONNECTIONS_MAX',
    15_000,
    'connections at a time; one more is closed as soon as it opens',
  ),
  callTimeoutMs: env.duration('CALL_TIMEOUT', '30s', 'how long the services may take to answer'),
  idleTimeoutMs: env.duration(
    'IDLE_TIMEOUT',
    '120s',
    'how long a connection may be silent, for example because its reader does not read',
  ),
  keepAliveTimeoutMs: env.duration(
    'KEEP_ALIVE_TIMEOUT',
    '75s',
    'how long a connection is kept open for another request; longer than a proxy in front keeps it',
  ),
  pageItemsMax: env.int(
    'PAGE_ITEMS_MAX',
    60,
    'items of one kind that a page for people lists; of more it tells how many',
  ),
  pageTextBytesMax: env.bytes(
    'PAGE_TEXT_BYTES_MAX',
    '256KiB',
    'code and texts that the page of a revision shows, together; the rest is to download',
  ),
  pageCommentBytesMax: env.bytes(
    'PAGE_COMMENT_BYTES_MAX',
    '64KiB',
    'comments that a page for people shows, together, as they were written',
  ),
  eventHeartbeatMs: env.duration(
    'EVENT_HEARTBEAT',
    '15s',
    'how often a stream of events is kept alive, and its credentials are looked at again',
  ),
  isTraceParentTrusted: env.bool(
    'TRACE_PARENT_TRUSTED',
    false,
    'whether a `traceparent` header of a request is obeyed: it decides what is traced; for installations that only a proxy of your own reaches, which sets or removes it',
  ),
  shutdownTimeoutMs: readShutdownTimeout(env),
})
export type Config = Readonly<ReturnType<typeof readConfig>>

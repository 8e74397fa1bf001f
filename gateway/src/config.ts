import type { EnvReader } from '@figbase/kit'

export const readConfig = (env: EnvReader) => ({
  host: env.text('HOST', '127.0.0.1', 'the address on which people reach Figbase'),
  port: env.port('PORT', 8000, 'its port; 0: the system chooses'),
  publicUrl: env.url('PUBLIC_URL', '', 'the address of Figbase as people see it, behind a proxy'),
  trustedProxies: env.list(
    'TRUSTED_PROXIES',
    'the proxies (addresses or networks) whose X-Forwarded-For is believed',
  ),
  environment: env.text('ENVIRONMENT', 'self-hosted', 'the word that `info/` shows'),
  jsonBodyBytesMax: env.bytes('JSON_BODY_BYTES_MAX', '1MiB', 'size of an ordinary JSON body'),
  uploadBodyBytesMax: env.bytes(
    'UPLOAD_BODY_BYTES_MAX',
    '8GiB',
    'size of a body that carries data (base64 is a third longer than the data)',
  ),
  memberBytesMax: env.bytes(
    'UPLOAD_MEMBER_BYTES_MAX',
    '4MiB',
    'size of one member of such a body that is not data, for example `metadata`',
  ),
  uploadObjectsMax: env.int('UPLOAD_OBJECTS_MAX', 1000, 'data objects in one body'),
  jsonDepthMax: env.int('JSON_DEPTH_MAX', 100, 'levels of nesting in a body'),
  callTimeoutMs: env.duration('CALL_TIMEOUT', '30s', 'how long the services may take to answer'),
  idleTimeoutMs: env.duration('IDLE_TIMEOUT', '120s', 'how long a connection may be silent'),
  shutdownTimeoutMs: env.duration('SHUTDOWN_TIMEOUT', '30s', 'how long a stop waits for requests'),
})
export type Config = Readonly<ReturnType<typeof readConfig>>

import type { EnvReader } from '@figbase/kit/config'
import type { NotebookOrigin } from './origin.js'
import { notebookOrigin } from './origin.js'

const example = 'https://*.notebooks.example.org'

/** Where notebooks are opened. Only read if there is a driver. */
export function readConnectSettings(env: EnvReader, { isUsed }: { isUsed: boolean }) {
  const host = env.text('HOST', '127.0.0.1', 'the address to listen on')
  const port = env.port(
    'COMPUTE_PORT',
    8001,
    'the port on which notebooks are opened; 0: the system chooses one',
  )
  const about =
    'the public URL at which notebooks are opened; its host must not be that of Figbase. With `*` as its first label, each instance has a host of its own'
  const text = env.text('COMPUTE_PUBLIC_URL', '', about)
  const figbaseUrl = env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy')
  if (isUsed && !text && figbaseUrl) {
    env.problems.push('COMPUTE_PUBLIC_URL is required with PUBLIC_URL and a COMPUTE_DRIVER')
  }
  const origin = text ? notebookOrigin(text) : undefined
  if (text && !origin) env.reportInvalid('COMPUTE_PUBLIC_URL', text, about, example)
  if (origin && figbaseUrl && isSameHost(origin, figbaseUrl)) {
    env.problems.push('COMPUTE_PUBLIC_URL: its host must not be that of PUBLIC_URL')
  }
  return {
    host,
    port,
    /** Undefined: below `localhost`, with the port. */
    origin,
    connectionsMax: env.positiveInt(
      'COMPUTE_CONNECTIONS_MAX',
      5000,
      'maximum number of open connections to notebooks; further ones are closed at once',
    ),
    sessionRequestsMax: env.positiveInt(
      'COMPUTE_SESSION_REQUESTS_MAX',
      200,
      'maximum number of concurrent requests and WebSockets of one browser to an instance',
    ),
    frameBytesMax: env.bytes(
      'COMPUTE_FRAME_BYTES_MAX',
      '64MiB',
      'maximum size of a WebSocket frame to or from a notebook; a larger one closes its connection',
    ),
    headersTimeoutMs: env.duration(
      'COMPUTE_HEADERS_TIMEOUT',
      '20s',
      'timeout for the headers of a request to a notebook',
    ),
    headerBytesMax: env.bytes(
      'COMPUTE_HEADER_BYTES_MAX',
      '16KiB',
      'maximum size of all headers of a request to a notebook',
    ),
    idleTimeoutMs: env.duration(
      'COMPUTE_REQUEST_IDLE_TIMEOUT',
      '2m',
      'how long a request to a notebook may be idle; WebSockets may be idle for longer',
    ),
    sessionLifetimeMs: env.duration(
      'COMPUTE_SESSION_LIFETIME',
      '12h',
      'after this time a notebook must be opened anew',
    ),
    checkMs: env.duration(
      'COMPUTE_SESSION_CHECK_INTERVAL',
      '1s',
      'how often it is checked whether users of open notebooks are still allowed to use them',
    ),
    uncheckedMsMax: env.duration(
      'COMPUTE_SESSION_UNCHECKED_MAX',
      '30s',
      'how long open notebooks go on while that cannot be checked, because a service is unavailable',
    ),
  }
}

export type ConnectSettings = ReturnType<typeof readConnectSettings>

const isSameHost = ({ hostOf }: NotebookOrigin, url: string) =>
  hostOf('').split(':')[0] === new URL(url).hostname

import * as http from 'node:http'
import * as https from 'node:https'
import type { ClientOptions } from 'minio'

/** An answer that says: not now. Its body is not read. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

export class StoreSilent extends Error {
  override name = 'StoreSilent'
}

export type Timeouts = { connectTimeoutMs: number; silenceTimeoutMs: number }

type Transport = NonNullable<ClientOptions['transport']>

/** How requests leave: minio's own have no timeout, and leave answers that it retries unread. */
export function createTransport(isTls: boolean, timeouts: Timeouts): Transport {
  const send = isTls ? https.request : http.request
  const request = (
    options: http.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ) => {
    const sent = send(options, (response) => {
      const { statusCode = 0, statusMessage = '' } = response
      if (statusCode < 500 && statusCode !== 408 && statusCode !== 429) {
        onResponse(response)
        return
      }
      sent.emit('error', new StoreBusy(`the store answers ${statusCode} ${statusMessage}`))
      response.on('error', () => {}).destroy()
    })
    limit(sent, timeouts)
    return sent
  }
  // The clients use this one form of it.
  return { request: request as Transport['request'] }
}

function limit(sent: http.ClientRequest, { connectTimeoutMs, silenceTimeoutMs }: Timeouts) {
  sent.setTimeout(silenceTimeoutMs, () => {
    sent.destroy(new StoreSilent(`the store was silent for ${silenceTimeoutMs} ms`))
  })
  sent.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(() => {
      sent.destroy(new StoreSilent(`no connection within ${connectTimeoutMs} ms`))
    }, connectTimeoutMs)
    const stop = () => clearTimeout(timer)
    socket.once('connect', stop).once('close', stop)
  })
}

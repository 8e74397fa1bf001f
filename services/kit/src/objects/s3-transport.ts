import * as http from 'node:http'
import * as https from 'node:https'
import type { ClientOptions } from 'minio'

/** A response with a retryable status; its body is not read. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

export class StoreTimedOut extends Error {
  override name = 'StoreTimedOut'
}

export type Timeouts = { connectTimeoutMs: number; silenceTimeoutMs: number }

type Transport = NonNullable<ClientOptions['transport']>

/** HTTP transport with timeouts: minio's own has none, and does not read responses that it retries. */
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
      sent.emit('error', new StoreBusy(`store responded ${statusCode} ${statusMessage}`))
      response.on('error', () => {}).destroy()
    })
    setTimeouts(sent, timeouts)
    return sent
  }
  // minio only calls this signature.
  return { request: request as Transport['request'] }
}

function setTimeouts(sent: http.ClientRequest, { connectTimeoutMs, silenceTimeoutMs }: Timeouts) {
  sent.setTimeout(silenceTimeoutMs, () => {
    sent.destroy(new StoreTimedOut(`store sent no data for ${silenceTimeoutMs} ms`))
  })
  sent.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(() => {
      sent.destroy(new StoreTimedOut(`connection timed out after ${connectTimeoutMs} ms`))
    }, connectTimeoutMs)
    const stop = () => clearTimeout(timer)
    socket.once('connect', stop).once('close', stop)
  })
}

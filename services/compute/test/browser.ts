import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http'
import { text } from 'node:stream/consumers'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

export type Sent = {
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
  /** Sent as it is, without normalization. */
  path?: string
}

/** Sends a request to the server on a port of this machine, for the host of `url`. */
export async function send(port: number, url: string, sent: Sent = {}): Promise<Answer> {
  const response = await begin(port, url, sent)
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: await text(response) }
}

/** As `send`; resolves with the response while its body is sent. */
export function begin(
  port: number,
  url: string,
  { method = 'GET', headers = {}, body, path }: Sent = {},
): Promise<IncomingMessage> {
  const { host, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port, path: path ?? pathname + search, method }
    const outgoing = request({ ...to, headers: { host, ...headers } })
    outgoing.once('response', resolve).once('error', reject)
    outgoing.end(body)
  })
}

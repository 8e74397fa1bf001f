import { createHash } from 'node:crypto'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { Duplex } from 'node:stream'

/** A frame of RFC 6455 with a payload of zeros. */
export function frame(length: number, isMasked: boolean): Buffer {
  const header =
    length < 126
      ? Buffer.from([0x82, length])
      : length < 65_536
        ? Buffer.from([0x82, 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 0]), bigEndian(length)])
  if (isMasked) header[1] = (header[1] ?? 0) | 0x80
  return Buffer.concat([header, Buffer.alloc(isMasked ? 4 : 0), Buffer.alloc(length)])
}

function bigEndian(length: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

/** The answer to the key of an upgrade (RFC 6455). */
export const acceptOf = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

/** Either the connection after an upgrade, or the status of the response without one. */
export type Upgraded = { status: number; socket?: Duplex }

export function upgrade(
  port: number,
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<Upgraded> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  })
  return new Promise((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response: IncomingMessage) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    sent.once('upgrade', (_response, socket, head) => {
      if (head.length > 0) socket.unshift(head)
      resolve({ status: 101, socket })
    })
    sent.end()
  })
}

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AddressRefused, connectOutbound } from '@figbase/kit/net'
import type { GitUrl } from '../domain/git-url.js'
import { GitError } from './git-error.js'

/** A port of this machine through which Git reaches one port of one host, and nothing else. */
export type Tunnel = AsyncDisposable & {
  port: number
  /** Of the proxy for HTTPS. */
  password: string
}

export type TunnelRules = {
  hostsAllowed: string[]
  receivedBytesMax: number
  /** Closes all connections. */
  signal: AbortSignal
  /** Called with the first reason for which a connection was refused or ended. */
  onProblem(problem: GitError): void
}

export const proxyUser = 'git'
const passwordBytes = 16

/** For HTTPS a proxy with the method CONNECT; for SSH each connection is one to the server. */
export async function openTunnel(target: GitUrl, rules: TunnelRules): Promise<Tunnel> {
  const password = randomBytes(passwordBytes).toString('hex')
  const link = createLink(target, rules)
  const server =
    target.protocol === 'https'
      ? proxy(target, password, link)
      : createServer((client) => link.connect(client))
  server.on('connection', link.add)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    password,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      link.end()
      await closed
    },
  }
}

type Link = {
  add(client: Duplex): void
  connect(client: Duplex, onOpen?: () => void): Promise<void>
  fail(problem: GitError): void
  end(): void
}

/** Connects clients to the host, and counts what they receive. */
function createLink(
  { host, port }: GitUrl,
  { hostsAllowed, receivedBytesMax, signal, onProblem }: TunnelRules,
): Link {
  const ends = new AbortController()
  const until = AbortSignal.any([signal, ends.signal])
  const open = new Set<Duplex>()
  let hasFailed = false
  let receivedBytes = 0
  const add = (stream: Duplex) => {
    open.add(stream)
    stream.on('error', () => {})
    stream.on('close', () => open.delete(stream))
  }
  const end = () => {
    ends.abort()
    for (const stream of open) stream.destroy()
  }
  signal.addEventListener('abort', end, { once: true })
  const fail = (error: GitError) => {
    if (hasFailed || until.aborted) return
    hasFailed = true
    end()
    onProblem(error)
  }
  const receive = (chunk: Buffer) => {
    receivedBytes += chunk.length
    if (receivedBytes > receivedBytesMax) {
      fail(new GitError('too_large', `the server sent more than ${receivedBytesMax} bytes`))
    }
  }
  return {
    add,
    fail,
    end,
    async connect(client, onOpen) {
      try {
        const server = await connectOutbound({ host, port, signal: until }, hostsAllowed)
        add(server)
        if (client.destroyed) return void server.destroy()
        server.on('data', receive)
        onOpen?.()
        client.pipe(server).pipe(client)
        client.on('close', () => server.destroy())
        // After its end, the client still gets what it has not read yet.
        server.on('close', () => server.readableEnded || client.destroy())
      } catch (error) {
        fail(toGitError(error))
        client.destroy()
      }
    },
  }
}

function toGitError(cause: unknown) {
  return cause instanceof AddressRefused
    ? new GitError('address_refused', cause.message, { cause })
    : new GitError('unreachable', 'the server could not be reached', { cause })
}

function proxy({ host, port }: GitUrl, password: string, link: Link): Server {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${proxyUser}:${password}`).toString('base64')}`,
  )
  const isKnown = ({ headers }: IncomingMessage) => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  const redirected = () =>
    link.fail(
      new GitError('redirected', 'the server redirects to another host; use that address instead'),
    )
  const server = createHttpServer((request, response) => {
    // Only a redirect leads to HTTP without TLS.
    if (isKnown(request)) redirected()
    response.writeHead(403).end()
  })
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    if (!isKnown(request)) {
      client.end('HTTP/1.1 407 Unknown\r\nProxy-Authenticate: Basic\r\n\r\n')
    } else if (request.url?.toLowerCase() !== authority) {
      redirected()
      client.end('HTTP/1.1 403 Refused\r\n\r\n')
    } else {
      link.connect(client, () => client.write('HTTP/1.1 200 Connected\r\n\r\n'))
    }
  })
  return server
}

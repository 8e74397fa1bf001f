import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type HttpsServer = AsyncDisposable & {
  port: number
  /** `https://127.0.0.1:port`. */
  origin: string
  /** The certificate authority of its certificate. */
  caFile: string
  /** Requests that it received. */
  requests: { url: string; authorization: string | undefined }[]
}

/** A server with TLS on 127.0.0.1. */
export async function startHttpsServer(handler: Handler): Promise<HttpsServer> {
  const made = await generate([{ name: 'commonName', value: 'git' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  })
  const folder = await mkdtemp(join(tmpdir(), 'figbase-ca-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, made.cert)
  const requests: HttpsServer['requests'] = []
  const server = createServer({ key: made.private, cert: made.cert }, (request, response) => {
    const { url = '', headers } = request
    requests.push({ url, authorization: headers.authorization })
    handler(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `https://127.0.0.1:${port}`,
    caFile,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await rm(folder, { recursive: true })
    },
  }
}

/** Serves the bare repositories of a folder as Git's own CGI program does. */
export function gitHandler(root: string, token?: string): Handler {
  const credentials = token?.includes(':') ? token : `x-access-token:${token}`
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`
  return (request, response) => {
    if (token && request.headers.authorization !== expected) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://host')
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: `${searchParams}`,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        GIT_PROTOCOL: `${request.headers['git-protocol'] ?? ''}`,
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.on('error', () => {})
    request.pipe(child.stdin)
    response.on('close', () => child.kill('SIGKILL'))
    relay(child.stdout, response)
  }
}

/** Turns the head of a CGI program's output into one of HTTP. */
function relay(output: NodeJS.ReadableStream, response: ServerResponse) {
  let head = Buffer.alloc(0)
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    output.removeListener('data', readHead)
    const fields = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const { Status: status = '200', ...headers } = Object.fromEntries(fields)
    response.writeHead(Number.parseInt(status, 10), headers)
    response.write(head.subarray(end + 4))
    output.pipe(response)
  }
  output.on('data', readHead)
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ContractDocument, readContractDocument } from './typesense/contract-document.js'
import { Failure } from './typesense/failure.js'
import { type Answer, type Request, TypesenseState } from './typesense/routes.js'

/** What a test does to a request instead of an answer; `never`: it is not answered. */
export type Fault = Answer | 'never' | undefined

export type TypesenseServer = AsyncDisposable & {
  url: string
  apiKey: string
  /** The requests so far, without those that were refused. */
  requests: Request[]
  /** Requests and answers that contradict the document of Typesense. Empty if there is no document. */
  problems: string[]
  /** Decides about each request. */
  fault: (request: Request) => Fault
  /** Closes the port and all connections; the data stay. */
  stop(): Promise<void>
  /** Opens the same port again. */
  restart(): Promise<void>
}

const addressCharsMax = 4000

/** The part of Typesense that the engine uses, on 127.0.0.1. TYPESENSE.md says what it does not do. */
export async function startTypesenseServer(): Promise<TypesenseServer> {
  const state = new TypesenseState()
  const document = readContractDocument()
  const server = createServer((req, res) => {
    respond(req, res).catch((err: unknown) => {
      started.problems.push(String(err))
      send(res, failed(500, String(err)))
    })
  })
  let port = 0
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen()
  const started: TypesenseServer = {
    url: `http://127.0.0.1:${port}`,
    apiKey: 'the API key of the tests',
    ...{ requests: [], problems: [] },
    fault: () => undefined,
    stop,
    restart: listen,
    async [Symbol.asyncDispose]() {
      if (server.listening) await stop()
    },
  }

  async function respond(req: IncomingMessage, res: ServerResponse) {
    const request = await readRequest(req)
    const isKnown = req.headers['x-typesense-api-key'] === started.apiKey
    if (!isKnown && request.path !== '/health') {
      send(res, failed(401, 'Forbidden - a valid `x-typesense-api-key` header must be sent.'))
      return
    }
    started.requests.push(request)
    const fault = started.fault(request)
    if (fault === 'never') return
    const answer = fault ?? answerTo(state, request, (req.url ?? '').length)
    started.problems.push(...problemsOf(document, request, answer))
    send(res, answer)
  }

  return started
}

async function readRequest(req: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost')
  const path = decodeURIComponent(pathname).replace(/(.)\/$/, '$1')
  const isLines = path.endsWith('/import')
  const body: unknown = text && !isLines ? JSON.parse(text) : text
  return { method: req.method ?? '', path, query: Object.fromEntries(searchParams), body }
}

function answerTo(state: TypesenseState, request: Request, addressChars: number): Answer {
  try {
    if (addressChars > addressCharsMax)
      throw new Failure(400, 'Query string exceeds max allowed length of 4000.')
    return state.answer(request)
  } catch (err) {
    return err instanceof Failure ? failed(err.status, err.message) : failed(500, String(err))
  }
}

const failed = (status: number, message: string): Answer => ({ status, body: { message } })

function problemsOf(document: ContractDocument | undefined, request: Request, answer: Answer) {
  if (!document) return []
  return [
    ...document.problemsOfRequest(request, request.body),
    ...document.problemsOfAnswer(request, answer.status, answer.body),
  ]
}

function send(res: ServerResponse, { status, body }: Answer) {
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  res.writeHead(status, { 'content-type': type }).end(isText ? body : JSON.stringify(body))
}

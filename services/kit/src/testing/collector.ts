import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

export type CollectedSpan = {
  traceId: string
  spanId: string
  /** Empty for a root span. */
  parentId: string
  name: string
  /** OTLP span kind: 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number
  failed: boolean
  attributes: Record<string, string>
  /** `service.name` of the sender. */
  process: string
}

export type Collector = AsyncDisposable & {
  url: string
  spans: CollectedSpan[]
  /** The raw requests. */
  bytes: Buffer[]
  headers: IncomingHttpHeaders[]
  /** Waits for `count` matching spans and returns them. */
  waitFor(isWanted: (span: CollectedSpan) => boolean, count?: number): Promise<CollectedSpan[]>
}

const waitMs = 60_000

/** An OpenTelemetry collector for tests: stores spans received as protobuf over HTTP. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bytes: Buffer[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (req, res) => {
    const body = await bodyOf(req)
    headers.push(req.headers)
    bytes.push(body)
    const isTraces = req.method === 'POST' && req.url === '/v1/traces'
    if (isTraces) spans.push(...spansOf(body))
    res.writeHead(isTraces ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bytes,
    headers,
    async waitFor(isWanted, count = 1) {
      const end = performance.now() + waitMs
      for (;;) {
        const found = spans.filter(isWanted)
        if (found.length >= count) return found.slice(0, count)
        if (performance.now() > end) {
          throw new Error(`timed out; received: ${spans.map(({ name }) => name).join(', ')}`)
        }
        await sleep(10)
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The values of a protobuf message by field number. */
type Fields = Map<number, (Uint8Array | bigint)[]>

function fieldsOf(message: Uint8Array): Fields {
  const fields: Fields = new Map()
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag()
    if (wire === WireType.LengthDelimited) add(fields, number, reader.bytes())
    else if (wire === WireType.Varint) add(fields, number, BigInt(reader.uint64()))
    else reader.skip(wire, number)
  }
  return fields
}

function add(fields: Fields, number: number, value: Uint8Array | bigint) {
  const known = fields.get(number)
  if (known) known.push(value)
  else fields.set(number, [value])
}

const messagesOf = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => fieldsOf(typeof value === 'bigint' ? empty : value))

const empty = new Uint8Array()

function bytesOf(fields: Fields, number: number): Buffer {
  const [value = empty] = fields.get(number) ?? []
  return Buffer.from(typeof value === 'bigint' ? empty : value)
}

function spansOf(request: Uint8Array): CollectedSpan[] {
  return messagesOf(fieldsOf(request), 1).flatMap((ofProcess) => {
    const [resource = new Map()] = messagesOf(ofProcess, 1)
    const process = attributesOf(resource, 1)['service.name'] ?? ''
    return messagesOf(ofProcess, 2)
      .flatMap((ofScope) => messagesOf(ofScope, 2))
      .map((span) => spanOf(span, process))
  })
}

function spanOf(span: Fields, process: string): CollectedSpan {
  const [status = new Map()] = messagesOf(span, 15)
  return {
    traceId: bytesOf(span, 1).toString('hex'),
    spanId: bytesOf(span, 2).toString('hex'),
    parentId: bytesOf(span, 4).toString('hex'),
    name: bytesOf(span, 5).toString(),
    kind: Number(span.get(6)?.[0] ?? 0),
    failed: status.get(3)?.[0] === 2n,
    attributes: attributesOf(span, 9),
    process,
  }
}

/** Attributes as text, also numbers and booleans. */
function attributesOf(fields: Fields, number: number): Record<string, string> {
  const pairs = messagesOf(fields, number).map((pair) => {
    const [value = new Map()] = messagesOf(pair, 2)
    const [plain] = [...(value.get(2) ?? []), ...(value.get(3) ?? [])]
    return [bytesOf(pair, 1).toString(), plain?.toString() ?? bytesOf(value, 1).toString()]
  })
  return Object.fromEntries(pairs)
}

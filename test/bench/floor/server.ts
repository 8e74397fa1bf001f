// The floor: the cheapest server that returns the same over HTTP from PostgreSQL. No permissions, no validation, no log;
// one prepared statement per request.
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import type { FloorSettings } from './settings.js'

// The pool size of a service of the product.
const connections = 10

process.on('message', async (settings: FloorSettings) => {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: connections })
  const thumbnail = Buffer.from(settings.thumbnail)
  const server = createServer((req, res) => {
    answer(req, res).catch((error) => {
      res.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    process.send?.({ result: `http://127.0.0.1:${port}` })
  })

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [, what, id = ''] = (req.url ?? '').split('/')
    if (what === 'figure') return json(res, 200, await one('read', id))
    if (what === 'list') return json(res, 200, { figures: (await rows('list', [id])).rows })
    if (what === 'comments') return json(res, 200, (await rows('comments', [id])).rows)
    if (what === 'create') return create(req, res)
    if (what === 'publish') return publish(req, res)
    if (what === 'derive') return derive(res)
    if (what === 'file') return serve(settings.file, res)
    await one('read', id)
    res.writeHead(200, { 'content-type': 'image/png', 'content-length': thumbnail.length })
    res.end(thumbnail)
  }

  async function create(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { name, analysis } = JSON.parse(Buffer.concat(await req.toArray()).toString())
    const { rows: created } = await rows('create', [randomUUID(), name, analysis])
    json(res, 201, created[0])
  }

  async function publish(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const id = randomUUID()
    await pipeline(req, createWriteStream(join(settings.dir, id)))
    const { rows: created } = await rows('create', [id, 'revision', settings.parent])
    json(res, 201, created[0])
  }

  async function serve(file: string, res: ServerResponse): Promise<void> {
    const { size } = await stat(file)
    res.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
    await pipeline(createReadStream(file), res)
  }

  async function derive(res: ServerResponse): Promise<void> {
    json(res, 201, (await rows('derive', [settings.parent])).rows)
  }

  async function one(name: keyof typeof statements, id: string) {
    return (await rows(name, [id])).rows[0]
  }

  function rows(name: keyof typeof statements, values: string[]) {
    return pool.query({ name, text: statements[name], values })
  }
})

const statements = {
  read: 'select * from figure where api_id = $1',
  list: 'select * from figure where analysis = $1 order by created_on',
  comments: 'select * from comment where target_id = $1 order by created_on',
  create: 'insert into figure (api_id, name, analysis) values ($1, $2, $3) returning *',
  // A revision and its data objects.
  derive: `insert into figure (api_id, name, analysis)
    select gen_random_uuid(), 'clone', $1 from generate_series(0, 100) returning *`,
}

function json(res: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  const length = Buffer.byteLength(body)
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(body)
}

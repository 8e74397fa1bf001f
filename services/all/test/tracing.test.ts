import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { type CollectedSpan, type Collector, startCollector } from '@figbase/kit/testing'
import { Author, program } from './support/author.js'
import { Bench, type Launched } from './support/launched.js'
import { createMigratedDatabase } from './support/migrated-database.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

/** Prints at exit how many files of the tracing SDK were loaded. */
const printLoadedFiles = `
  import { createRequire } from 'node:module'
  const { cache } = createRequire('/')
  process.on('exit', () => {
    const files = Object.keys(cache).filter((file) => file.includes('@opentelemetry/sdk-trace/'))
    process.stderr.write(\`SDK files: \${files.length}\\n\`)
  })`
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(printLoadedFiles)}`

const stranger = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const traceparent = `00-${stranger.traceId}-${stranger.spanId}-01`

async function start(args: string[], databaseUrl: string, env: NodeJS.ProcessEnv) {
  const dataDir = await bench.dir()
  const all = { LOG_LEVEL: 'debug', NODE_OPTIONS, DATABASE_URL: databaseUrl, ...env }
  return bench.start({ dataDir, args, env: all })
}

const tracedTo = ({ url }: Collector) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '100',
})

/** The names from the root span to this span. */
function pathTo(span: CollectedSpan, { spans }: Collector): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentId)
  assert.equal(parent?.spanId ?? '', span.parentId, `${span.name} has lost its parent`)
  return [...(parent ? pathTo(parent, { spans } as Collector) : []), span.name]
}

type Line = { name: string; msg: string; requestId?: string; trace_id?: string; span_id?: string }

const linesOf = ({ output }: Launched): Line[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

const publication = 'POST /api/:version/revision/'

/** Uses the API with secrets in all kinds of places. */
async function useApi(launched: Launched) {
  const author = new Author(launched)
  await author.signUp()
  const figure = await author.newFigure()
  await author.json('POST', `figure/${figure}/share/link/`, { enabled: true })
  const { token: key } = await author.json<{ token: string }>('POST', 'api_key/', { name: 'k' })
  const credentials = { username: 'ada', password: 'correct horse' }
  assert.equal(await author.signIn(credentials), true)
  assert.equal(await author.signIn({ ...credentials, password: 'hunter2 is wrong' }), false)
  await author.request('GET', `figure/${figure}/?q=s3cret-query`)
  await author.request('GET', 's3cret-path/')
  await author.request('POST', 'workspace/', { name: 's3cret-name', description: 7 })
  await fetch(`${launched.url}/api/v1.4.1/info/`, { headers: { traceparent } })
  const link = randomBytes(32).toString('base64url')
  await author.request('GET', `invitation/${link}/`)
  const created = await author.publish(figure)
  await author.isIntact(created)
  const sent = ['correct horse', 'hunter2', 'ada@example.org', 's3cret-query', 's3cret-name']
  return { secrets: [...sent, author.token, key, link], inPaths: ['s3cret-path', figure] }
}

for (const args of [[], ['--distributed']]) {
  const name = args.length > 0 ? 'distributed' : 'all-in-one'
  const isTrusted = args.length > 0

  test(`${name}: a publication is one trace across services, jobs and events`, async () => {
    await using collector = await startCollector()
    await using database = await createMigratedDatabase()
    const launched = await start(args, database.url, {
      ...tracedTo(collector),
      TRACE_PARENT_TRUSTED: String(isTrusted),
    })
    const { secrets, inPaths } = await useApi(launched)
    const processed = 'process revisions.revision.processed.v1'
    const [handled] = await collector.waitFor((span) => span.name === processed)
    assert.equal(await launched.stop(), 0)
    assert.match(launched.output, /SDK files: [1-9]/)
    assert.ok(handled)
    const revisions = 'figbase.revisions.v1.RevisionsService'
    const path = pathTo(handled, collector)
    assert.equal(path[0], publication)
    assert.match(path[1] ?? '', /^figbase\.revisions\.v1\.RevisionsService\//)
    assert.equal(path[2], path[1])
    assert.deepEqual(path.slice(-2), ['job process-revision', processed])
    const ofTrace = collector.spans.filter(({ traceId }) => traceId === handled.traceId)
    for (const span of ofTrace) assert.equal(pathTo(span, collector)[0], publication)
    const catalog = ofTrace.filter(({ name }) => name.startsWith('figbase.catalog.v1.'))
    assert.ok(catalog.length > 1)
    const changed = ofTrace.find((span) => span.name === 'process catalog.node.changed.v1')
    assert.ok(changed, 'the event of the activity log')
    assert.ok(ofTrace.some((span) => /\binsert revision\b/.test(span.name)))
    const processes = new Set(ofTrace.map((span) => span.process))
    assert.deepEqual(
      [...processes].sort(),
      isTrusted
        ? ['catalog', 'gateway', 'revisions', 'search', 'tasks'].map((name) => `figbase-${name}`)
        : ['figbase'],
    )
    assert.ok(ofTrace.some(({ name }) => name.startsWith(revisions)))

    const info = collector.spans.find((span) => span.name === 'GET /api/:version/info/')
    assert.equal(info?.traceId === stranger.traceId, isTrusted)
    assert.equal(info?.parentId, isTrusted ? stranger.spanId : '')
    const unknown = collector.spans.filter((span) => span.name === 'GET none')
    assert.ok(unknown.length > 0)
    for (const secret of [...secrets, ...inPaths]) {
      const isSent = collector.bytes.some((bytes) => bytes.includes(secret))
      assert.equal(isSent, false, `${secret} was sent`)
    }

    const lines = linesOf(launched).filter((line) => line.trace_id === handled.traceId)
    const ids = new Set(lines.map((line) => line.requestId))
    assert.equal(ids.size, 1)
    assert.ok(lines.some((line) => line.name === 'gateway' && line.msg === 'request'))
    assert.ok(lines.some((line) => line.name === 'catalog' && line.msg === 'call'))
    assert.ok(lines.every(({ span_id }) => ofTrace.some(({ spanId }) => spanId === span_id)))
    for (const secret of secrets) assert.ok(!launched.output.includes(secret), secret)
  })
}

test('off: no SDK is loaded, no span is sent, and log lines have the request id', async () => {
  await using database = await createMigratedDatabase()
  const launched = await start([], database.url, {})
  const author = new Author(launched)
  await author.signUp()
  assert.equal(await launched.stop(), 0)
  assert.match(launched.output, /SDK files: 0\n/)
  const lines = linesOf(launched)
  const request = lines.find(({ name, msg }) => name === 'gateway' && msg === 'request')
  assert.ok(request?.requestId)
  const call = lines.find(({ name, msg, requestId }) => {
    return name === 'identity' && msg === 'call' && requestId === request.requestId
  })
  assert.ok(call, 'the call of the request')
  assert.ok(lines.every((line) => line.trace_id === undefined))
})

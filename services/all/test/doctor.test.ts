import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { peerSettingOf } from '@figbase/kit/rpc'
import { Lifecycle, startServing } from '@figbase/kit/service'
import {
  createTestDatabase,
  natsSkipReason,
  redisSkipReason,
  type SilentServer,
  s3SkipReason,
  startNatsServer,
  startRedisServer,
  startS3Server,
  startSilentServer,
  type TestDatabase,
} from '@figbase/kit/testing'
import { generate } from 'selfsigned'
import { services } from '../src/all-in-one.js'
import { checkCertificate } from '../src/doctor/certificate.js'
import type { Finding } from '../src/doctor/finding.js'
import { checkNode } from '../src/doctor/machine.js'
import { closest } from '../src/doctor/similar.js'
import { runCommand } from './support/command.js'
import { Bench } from './support/launched.js'

const bench = new Bench()
let database: TestDatabase
let hole: SilentServer
let dataDir: string

before(async () => {
  database = await createTestDatabase()
  hole = await startSilentServer()
  dataDir = await bench.dir()
  await chmod(dataDir, 0o700)
})
after(async () => {
  await hole[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

/** Runs doctor, and checks that its output contains no secret. */
async function examine(env: NodeJS.ProcessEnv) {
  const all = { DATABASE_URL: database.url, PORT: '0', SERVER_CHECK_TIMEOUT: '5s', ...env }
  const { code, output } = await runCommand(dataDir, ['doctor', '--json'], all)
  assert.doesNotMatch(output, /hidden/)
  const findings = JSON.parse(output) as Finding[]
  const hasProblems = findings.some(({ level }) => level === 'problem')
  assert.equal(code, hasProblems ? 1 : 0)
  const of = (name: string) => findings.filter((finding) => finding.name === name)
  const problems = findings.filter(({ level }) => level === 'problem').map(({ name }) => name)
  return { findings, of, problems }
}

const noServers = natsSkipReason() || redisSkipReason() || s3SkipReason()

test('reports working servers as ok, and missing migrations', {
  skip: noServers,
}, async () => {
  await using nats = await startNatsServer()
  await using redis = await startRedisServer()
  await using s3 = await startS3Server()
  const env = {
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: await s3.newBucket(),
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
  }
  const { findings, of, problems } = await examine(env)
  assert.deepEqual(problems, [])
  for (const name of ['NATS_URL', 'REDIS_URL', 'S3_ENDPOINT', 'clock', 'settings', 'Node.js']) {
    assert.deepEqual(
      of(name).map(({ level }) => level),
      ['ok'],
      name,
    )
  }
  assert.match(of('schemas')[0]?.text ?? '', /\d+ migrations are missing/)
  assert.ok(findings.every(({ level, remedy }) => level === 'ok' || remedy))
  const wrong = await examine({ ...env, S3_BUCKET: 'another', MIGRATE_AT_START: 'false' })
  assert.deepEqual(wrong.problems.sort(), ['S3_ENDPOINT', 'schemas'])
  assert.match(wrong.of('S3_ENDPOINT')[0]?.text ?? '', /^S3_BUCKET: .*NoSuchBucket/)
})

test('reports unavailable and silent servers as problems in bounded time', async () => {
  for (const host of ['127.0.0.1:1', hole.host]) {
    const started = performance.now()
    const { problems } = await examine({
      DATABASE_URL: `postgres://ann:hidden@${host}/x`,
      NATS_URL: `nats://ann:hidden@${host}`,
      REDIS_URL: `redis://:hidden@${host}`,
      S3_ENDPOINT: `http://${host}`,
      S3_BUCKET: 'bucket',
      S3_ACCESS_KEY: 'a',
      S3_SECRET_KEY: 'hidden',
      SMTP_URL: `smtp://ann:hidden@${host}?tls=none`,
      MAIL_FROM: 'a@example.org',
      OIDC_ISSUER: `http://${host}`,
      OIDC_CLIENT_ID: 'a',
      SERVER_CHECK_TIMEOUT: '2s',
    })
    const all = ['DATABASE_URL', 'NATS_URL', 'OIDC_ISSUER', 'REDIS_URL', 'S3_ENDPOINT', 'SMTP_URL']
    assert.deepEqual(problems.sort(), all)
    const ms = performance.now() - started
    assert.ok(ms < 10_000, `it took ${ms} ms`)
  }
})

test('reports NATS without JetStream, a wrong Redis password, and a different issuer', {
  skip: noServers,
}, async () => {
  await using nats = await startNatsServer({ jetStream: false })
  await using redis = await startRedisServer()
  const provider = createServer((_, res) => res.end('{"issuer": "https://another.example"}'))
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  const { of, problems } = await examine({
    NATS_URL: nats.url,
    REDIS_URL: redis.url.replace('//', '//ann:hidden@'),
    OIDC_ISSUER: `http://127.0.0.1:${port}`,
    OIDC_CLIENT_ID: 'a',
  })
  provider.close()
  assert.deepEqual(problems.sort(), ['NATS_URL', 'OIDC_ISSUER', 'REDIS_URL'])
  assert.match(of('NATS_URL')[0]?.text ?? '', /has no JetStream/)
  assert.match(of('REDIS_URL')[0]?.text ?? '', /WRONGPASS/)
  assert.match(
    of('OIDC_ISSUER')[0]?.text ?? '',
    /issuer of the provider is https:\/\/another\.example/,
  )
})

test('checks each address of a service, and reports a different service or secret', async () => {
  const secret = 'hidden, and long enough not to be guessed'
  const all = { DATABASE_URL: database.url, FIGBASE_SECRET_KEY: secret, LOG_LEVEL: 'silent' }
  const urls: Record<string, string> = {}
  await using running = new Lifecycle()
  for (const service of services) {
    const env = { ...all, RPC_PORT: '0', OBJECTS_DIR: join(dataDir, 'objects') }
    const served = await startServing(service, env)
    running.onStop(() => served[Symbol.asyncDispose]())
    urls[peerSettingOf(service.name)] = `http://127.0.0.1:${served.port}`
  }
  const levels = async (env: NodeJS.ProcessEnv) => {
    const { of } = await examine({ ...all, ...urls, ...env })
    const names = Object.keys(urls).sort()
    return names.map((name) =>
      of(name)
        .map(({ level }) => level)
        .join(),
    )
  }
  assert.deepEqual(await levels({}), Array(services.length).fill('ok'))
  assert.deepEqual(
    await levels({ FIGBASE_SECRET_KEY: `${secret}!` }),
    Array(services.length).fill('problem'),
  )
  const wrong = {
    CATALOG_URL: urls.TASKS_URL,
    IDENTITY_URL: `${urls.IDENTITY_URL},http://127.0.0.1:1,http://${hole.host}`,
  }
  const found = await levels(wrong)
  assert.deepEqual(found, ['problem', 'ok', 'ok', 'ok,warning,warning', 'ok', 'ok', 'ok', 'ok'])
  const { of } = await examine({ ...all, TASKS_URL: 'http://127.0.0.1:1' })
  const why = /^http:\/\/127\.0\.0\.1:1: tasks is unavailable: .*ECONNREFUSED/
  assert.match(of('TASKS_URL')[0]?.text ?? '', why)
})

test('reports each invalid and unknown setting', async () => {
  const wrong = await examine({
    JOB_LEASE: 'soon',
    S3_ENDPOINT: 'ftp://ann:hidden@127.0.0.1',
    SMTP_URL: 'hidden',
    FIGBASE_SECRET_KEY: 'hidden',
    REDIS_URI: 'hidden',
    LOG_LEVLE: 'info',
    FIGBASE_NOTHING: '1',
    SESSION_LIFE: '1h',
    HOME: '/root',
  })
  assert.deepEqual(
    ['JOB_LEASE', 'S3_ENDPOINT', 'SMTP_URL'].filter((name) => !wrong.problems.includes(name)),
    [],
  )
  const warned = wrong.findings.filter(({ level }) => level === 'warning')
  assert.deepEqual(warned.map(({ name }) => name).sort(), [
    'FIGBASE_NOTHING',
    'FIGBASE_SECRET_KEY',
    'LOG_LEVLE',
    'REDIS_URI',
    'SESSION_LIFE',
  ])
  assert.equal(wrong.of('REDIS_URI')[0]?.remedy, 'Did you mean REDIS_URL?')
  assert.equal(wrong.of('SESSION_LIFE')[0]?.text, 'is now named SESSION_LIFETIME')
  assert.equal(wrong.of('LOG_LEVLE')[0]?.remedy, 'Did you mean LOG_LEVEL?')
})

test('a finding does not repeat its name, and has no empty example', async () => {
  const { findings } = await examine({
    DATABASE_URL: 'host=x password=hidden',
    DATABASE_DIRECT_URL: 'postgres://ann:hidden@x:99999/a',
    PUBLIC_URL: 'figbase',
    NATS_URL: 'hidden',
    OPERATIONS_PORT: 'x',
    TRUSTED_PROXIES: 'nobody',
    ADMIN_PASSWORD: 'short',
    S3_ENDPOINT: 'figbase',
    RPC_TLS_CERT_FILE: join(dataDir, 'none'),
  })
  const named = findings.filter(({ level }) => level === 'problem').map(({ name }) => name)
  assert.deepEqual([...new Set(named)].sort(), [
    'ADMIN_PASSWORD',
    'DATABASE_DIRECT_URL',
    'DATABASE_URL',
    'NATS_URL',
    'OPERATIONS_PORT',
    'PUBLIC_URL',
    'RPC_TLS_CA_FILE',
    'RPC_TLS_CERT_FILE',
    'RPC_TLS_KEY_FILE',
    'S3_ENDPOINT',
    'TRUSTED_PROXIES',
  ])
  for (const { name, text } of findings) {
    assert.ok(!text.startsWith(name), `${name}: ${text}`)
    assert.doesNotMatch(text, /for example ''/)
  }
  const { of } = await examine({ DATABASE_URL: 'postgres://127.0.0.1:1/x' })
  assert.match(of('DATABASE_URL')[0]?.text ?? '', /^database unavailable: .*ECONNREFUSED/)
})

test('reports directories that are not writable, and a HOST of another machine', async () => {
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  const places = process.platform === 'linux' ? [file, join(file, 'x'), '/proc/figbase'] : [file]
  for (const dir of places) {
    const { problems } = await examine({ FIGBASE_DATA_DIR: dir, MAIL_DIR: dir, HOST: '192.0.2.1' })
    const expected = ['FIGBASE_DATA_DIR', 'HOST', 'MAIL_DIR']
    assert.deepEqual(problems.filter((name) => name !== 'disk').sort(), expected, dir)
  }
})

test('reports a secret readable by other users, and a port in use', async () => {
  const file = join(dataDir, 'secret-key')
  await writeFile(file, 'hidden', { mode: 0o644 })
  const { problems, of } = await examine({ PORT: String(hole.port) })
  assert.deepEqual(problems.sort(), ['PORT', 'secret-key'])
  assert.equal(of('secret-key')[0]?.remedy, `chmod 600 ${file}`)
  await chmod(file, 0o600)
  assert.deepEqual((await examine({})).problems, [])
})

test('warns before a certificate expires', async () => {
  const file = join(dataDir, 'cert.pem')
  const levels: string[] = []
  for (const days of [13, 30]) {
    const notAfterDate = new Date(Date.now() + (days + 0.5) * 86_400_000)
    const made = await generate([{ name: 'commonName', value: 'figbase' }], { notAfterDate })
    await writeFile(file, made.cert)
    for (const { level, text } of await checkCertificate(file)) levels.push(`${level}: ${text}`)
  }
  assert.deepEqual(levels, ['warning: is valid for 13 days', 'ok: is valid for 30 days'])
  assert.deepEqual(await checkCertificate(''), [])
})

test('reports an old Node.js, and suggests only similar names', () => {
  const levels = ['18.19.1', '20.19.9', '20.20.0', '24.1.0'].map(
    (version) => checkNode(version).level,
  )
  assert.deepEqual(levels, ['problem', 'problem', 'ok', 'ok'])
  const known = ['PORT', 'HOST', 'REDIS_URL', 'DATABASE_URL']
  const meant = ['POTR', 'HOME', 'DATABSE_URL', 'REDISURL', 'PATH'].map((name) =>
    closest(name, known),
  )
  assert.deepEqual(meant, ['PORT', undefined, 'DATABASE_URL', 'REDIS_URL', undefined])
})

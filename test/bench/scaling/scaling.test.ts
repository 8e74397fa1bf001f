import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { advice } from './advice.js'
import { fullAt, load, mixOf, services, stationsOf, stretchAt, unitsAt } from './capacity.js'
import { readMeasured, readMemoryRequests, scalingFiles } from './files.js'
import { tableOf, withScaling } from './page.js'
import { pictureOf } from './picture.js'
import { parse } from './statements.js'

const measured = readMeasured()
const page = readFileSync(scalingFiles.page, 'utf8')
const stations = stationsOf(measured.scaling)

test('table and picture are what the model says of the stored measurements', () => {
  assert.equal(page, withScaling(page, measured), 'run npm run scaling')
  const picture = readFileSync(scalingFiles.picture, 'utf8')
  assert.equal(picture, pictureOf(measured.scaling), 'run npm run scaling')
})

test('the dashboard has each metric of the table', () => {
  const dashboard = readFileSync(scalingFiles.dashboard, 'utf8')
  const rows = tableOf(measured.scaling).split('\n').slice(2)
  const metrics = rows.flatMap((row) => [...row.matchAll(/`((?:figbase|process)_\w+)`/g)])
  assert.equal(metrics.length, rows.length - 1, 'one in each row but the sum')
  for (const [, metric = ''] of metrics)
    assert.match(dashboard, new RegExp(`\\b${metric}(_bucket)?\\{`))
})

test('each setting and value of the page exists', () => {
  const schema = JSON.parse(readFileSync(scalingFiles.schema, 'utf8')) as Schema
  const { settings, secrets } = schema.definitions ?? {}
  const known = { ...settings?.properties, ...secrets?.properties }
  // Ports and addresses have values of their own.
  const names = [...page.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g)].map(
    ([, name = '']) => name,
  )
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter((name) => !(name in known)),
    [],
  )
  const paths = [...page.matchAll(/`([a-z][A-Za-z]*(?:\.[a-z][\w-]*)+)`/g)].map(
    ([, path = '']) => path,
  )
  assert.ok(paths.length > 5)
  assert.deepEqual(
    paths.filter((path) => !hasValue(schema, path.split('.'))),
    [],
  )
})

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  definitions?: Record<string, Schema>
}

function hasValue(schema: Schema, path: string[]): boolean {
  let at: Schema | undefined = schema
  for (const name of path) {
    const definition: string | undefined = at?.$ref?.split('/').at(-1)
    at = (definition ? schema.definitions?.[definition] : at)?.properties?.[name]
  }
  return at !== undefined
}

test('every process of the dashboard has work, memory and advice', () => {
  const memoryOf = readMemoryRequests()
  const mix = mixOf(measured.scaling)
  for (const service of services) {
    assert.ok(measured.scaling.rest[service], service)
    assert.ok(memoryOf(service) >= 2 ** 28, service)
  }
  for (const { part } of stations) assert.ok(advice[part], part)
  const shares = measured.scaling.operations.map(({ share }) => share)
  assert.equal(
    shares.reduce((sum, share) => sum + share),
    1000,
  )
  assert.ok(mix.used('gateway', 'loopMs') > 0.2 && mix.statements('catalog') > 0.5)
})

test('with the units of the table no part is too full, and with fewer one is', () => {
  for (const factor of load.factors) {
    for (const station of stations) {
      const units = unitsAt(station, factor)
      assert.ok(fullAt(station) * units >= factor, station.part)
      assert.ok(units === 1 || fullAt(station) * (units - 1) < factor, station.part)
    }
    const sized = stations.map((station) => unitsAt(station, factor))
    const fewer = sized.map((units) => Math.max(1, Math.floor(units / 3)))
    assert.ok(stretchAt(stations, sized, factor) < 1 / (1 - load.full))
    if (factor === 100) assert.equal(stretchAt(stations, fewer, factor), Number.POSITIVE_INFINITY)
  }
})

test('the log of PostgreSQL: a statement has several steps', () => {
  const line = (application: string, text: string) =>
    `2026-11-25 14:00:00.000 UTC|${application}|LOG:  duration: ${text}\n`
  const log = [
    line('figbase catalog', '0.125 ms  parse read: select 1'),
    line('figbase catalog', '0.250 ms  bind read: select 1\n\tfrom node'),
    line('figbase catalog jobs', '0.125 ms  execute read: select 1'),
    line('figbase stories-ai', '1.5 ms  statement: begin'),
    line('psql', '1.5 ms  statement: begin'),
  ].join('')
  assert.deepEqual(parse(log), {
    catalog: { count: 1, ms: 0.5 },
    'stories-ai': { count: 1, ms: 1.5 },
  })
})

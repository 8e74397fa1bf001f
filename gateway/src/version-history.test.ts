import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { endpoints } from './routes/index.js'
import { versionHistory } from './version-history.js'
import { withVersionTable } from './version-table.js'
import { differences, versions } from './versions.js'

const history = versionHistory(endpoints)
const changesOf = (version: string) => history.find((one) => one.version === version)?.changes ?? []

test('each version has an entry, and the first one no changes', () => {
  assert.deepEqual(
    history.map(({ version }) => version),
    versions,
  )
  assert.deepEqual(changesOf('v1'), [])
})

test('the changes are the differences and the added routes, each once', () => {
  assert.deepEqual(changesOf('v1.1'), [])
  assert.deepEqual(changesOf('v1.2'), [
    { member: 'data', change: differences.shallowRevisionData.change },
  ])
  const later = endpoints.filter(({ since }) => since !== 'v1')
  const routes = history.flatMap(({ changes }) => changes).filter((one) => 'route' in one)
  const changed = Object.values(differences).filter((one) => 'route' in one)
  assert.equal(routes.length, later.length + changed.length)
  assert.ok(changesOf('v1.3').some((one) => 'route' in one && one.route === 'GET /tasks/'))
  const instances = 'POST /workspace/{id}/compute_instances/'
  assert.ok(changesOf('v1.4.1').some((one) => 'route' in one && one.route === instances))
  for (const { change } of history.flatMap(({ changes }) => changes)) assert.ok(change.length > 5)
})

test('the page of the guide is current', () => {
  const document = readFileSync(new URL('../../guide/versions.md', import.meta.url), 'utf8')
  assert.equal(document, withVersionTable(document), 'run npm run versions')
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allSettings, withSettingsTable } from '../src/settings-table.js'

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')

test('the README lists every setting as its reader declares it', () => {
  assert.equal(readme, withSettingsTable(readme), 'run npm run settings')
})

test('a setting that is read twice has one default', () => {
  const defaults = new Map(allSettings().map(({ name, fallback }) => [name, fallback]))
  assert.ok(defaults.size > 20)
})

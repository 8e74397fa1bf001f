import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Setting } from '@figbase/kit'
import { declaredSettings, withSettingsTable } from '../src/settings-table.js'

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')

test('the README lists every setting as its reader declares it', () => {
  assert.equal(readme, withSettingsTable(readme), 'run npm run settings')
})

test('a setting that is read twice has one default and one description', () => {
  const declared = declaredSettings()
  const firsts = new Map<string, Setting>()
  const again: Setting[] = []
  for (const setting of declared) {
    if (firsts.has(setting.name)) again.push(setting)
    else firsts.set(setting.name, setting)
  }
  assert.ok(again.some(({ name }) => name === 'DATABASE_URL'))
  assert.deepEqual(
    again,
    again.map(({ name }) => firsts.get(name)),
  )
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Setting } from '@figbase/kit/config'
import { readAllSettings } from '../src/check-settings.js'
import { allSettings, declaredSettings, withSettingsTable } from '../src/settings-table.js'

const document = readFileSync(new URL('../../../../deploy/settings.md', import.meta.url), 'utf8')

test('deploy/settings.md lists every setting as its reader declares it', () => {
  assert.equal(document, withSettingsTable(document), 'run npm run settings')
})

test('deploy/settings.md begins with the twenty everyday settings', () => {
  const [, first = ''] = document.split(/^## /m)
  assert.match(first, /^Everyday settings\n/)
  assert.equal(first.match(/^\| `/gm)?.length, 20)
})

test('what is in the data directory needs no setting', () => {
  assert.deepEqual(readAllSettings({ COMPUTE_DRIVER: 'local' }).problems, [])
})

test('each setting is in one topic', () => {
  const [, , ...sections] = document.split(/^## /m)
  const listed = sections.flatMap((section) => [...section.matchAll(/^\| `(\w+)`/gm)])
  const names = listed.map(([, name]) => name).sort()
  assert.deepEqual(names, [...new Set(allSettings().map(({ name }) => name))].sort())
})

test('a setting with several readers has one default and one description', () => {
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

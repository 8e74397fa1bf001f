import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const manifest = JSON.parse(read('package.json'))
const files = readdirSync(new URL('dist/bundle/', root)).filter((name) => name.endsWith('.js'))

/** The packages that a file imports, those that it imports later only with `later`. */
function importsOf(name: string, withLater = true): string[] {
  const text = read(`dist/bundle/${name}`)
  const found = [...text.matchAll(/^import .*?"([^"]+)";$|\bfrom "([^"]+)"|import\("([^"]+)"\)/gm)]
  const names = found.map(([, bare, from, later]) => bare ?? from ?? ((withLater && later) || '.'))
  return names.filter((one) => !one.startsWith('.') && !one.startsWith('node:'))
}

test('the package declares what it imports, and nothing else', () => {
  const imported = new Set(files.flatMap((name) => importsOf(name)))
  assert.deepEqual([...imported].sort(), Object.keys(manifest.dependencies).sort())
})

test('the dependencies of the client have the same versions', () => {
  const client = JSON.parse(read('../client/package.json'))
  for (const [name, version] of Object.entries(client.dependencies)) {
    assert.ok([version, undefined].includes(manifest.dependencies[name]), name)
  }
})

test('a start loads only commander', () => {
  const loaded = new Set(['main.js'])
  for (const name of loaded) {
    for (const [, next] of read(`dist/bundle/${name}`).matchAll(
      /^(?:import|\}.* from) "\.\/(.*)";$/gm,
    )) {
      if (next !== undefined) loaded.add(next)
    }
  }
  const imported = [...loaded].flatMap((name) => importsOf(name, false))
  assert.deepEqual([...new Set(imported)], ['commander'])
})

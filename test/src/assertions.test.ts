import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Assertions that can never fail. */
const ineffective = [
  // Not awaited.
  /(?<!(?:\b(?:await|return)|[=>(,[?:|&])\s*)\bassert\.(?:rejects|doesNotReject)\(/,
  // Always true.
  /\bassert(?:\.ok)?\([^\n]*\.(?:length|size) (?:>= 0|> -1)\b/,
  /\bassert(?:\.ok)?\((?:true|1)\b/,
]

const findIneffective = (source: string) =>
  ineffective.flatMap((pattern) =>
    [...source.matchAll(new RegExp(pattern, 'g'))].map(([found]) => found),
  )

function findSources(below: string): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'gen'].includes(entry.name) ? [] : findSources(path)
    }
    return /\.(ts|mjs)$/.test(entry.name) && !path.endsWith('assertions.test.ts') ? [path] : []
  })
}

test('finds ineffective assertions', () => {
  for (const source of [
    'test("", async () => {\n  assert.rejects(work())\n})',
    'const a = b()\n  assert.rejects(\n    work(),\n  )',
    'if (a) assert.doesNotReject(work())',
    'assert.ok(rows.length >= 0)',
    'assert(found.size > -1, "none")',
    'assert.ok(true)',
  ]) {
    assert.equal(findIneffective(source).length, 1, source)
  }
  for (const source of [
    'await assert.rejects(work())',
    'const refused = assert.rejects(work())',
    'await Promise.all([\n  assert.rejects(one()),\n  assert.rejects(other()),\n])',
    'test("", () => assert.rejects(work()))',
    'assert.ok(text.indexOf("a") >= 0)',
    'assert.ok(rows.length > 0)',
  ]) {
    assert.deepEqual(findIneffective(source), [], source)
  }
})

test('no test has an ineffective assertion', () => {
  const sources = ['gateway', 'services', 'test'].flatMap(findSources)
  assert.ok(sources.some((path) => path.endsWith('publish-and-delete.test.ts')))
  const found = sources.flatMap((path) =>
    findIneffective(readFileSync(join(root, path), 'utf8')).map((what) => `${path}: ${what}`),
  )
  assert.deepEqual(found, [])
})

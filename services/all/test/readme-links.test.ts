import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenLinks, pagesOf } from './support/readmes/links.js'

const files: Record<string, string> = { 'a/b.md': '# Title\n\n## One & two: `x_y`\n', 'c.png': '' }
const repository = {
  exists: (path: string) => path in files,
  textOf: (path: string) => files[path],
}
const broken = (text: string) => brokenLinks('a/here.md', `# Here\n${text}`, repository)

test('finds links to missing files and headings', () => {
  assert.deepEqual(broken('[x](b.md) ![y](../c.png) [z](b.md#one--two-x_y) [w](https://x.y/z)'), [])
  assert.deepEqual(broken('[x](d.md)'), ['a/here.md: d.md'])
  assert.deepEqual(broken('[x](b.md#three)'), ['a/here.md: b.md#three'])
})

test('ignores code blocks', () => {
  assert.deepEqual(broken('```sh\n# [x](d.md)\n```'), [])
})

test('lists the pages of an index in order', () => {
  const index = '# Guide\n\n1. [Two](two.md): more\n2. [One](one.md)\n\nSee [three](three.md).'
  assert.deepEqual(pagesOf('guide', index), ['guide/two.md', 'guide/one.md'])
})

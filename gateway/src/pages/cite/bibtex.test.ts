import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bibtex } from './bibtex.js'

test('writes an entry, and escapes what TeX reads as commands', () => {
  const entry = bibtex({
    key: 'figbase-1',
    author: 'Ada',
    title: '50 % of $x_1$ & {y}\\input{/etc/passwd}\n^~#',
    date: '2026-11-26',
    address: 'https://figures.example.org/r/1',
  })
  assert.equal(
    entry,
    `@misc{figbase-1,
  author = {Ada},
  title = {50 \\% of \\$x\\_1\\$ \\& \\{y\\}\\textbackslash{}input\\{/etc/passwd\\} \\textasciicircum{}\\textasciitilde{}\\#},
  year = {2026},
  month = {11},
  howpublished = {\\url{https://figures.example.org/r/1}}
}`,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRules, parseRules, RulesError } from './git-rules.js'

test('reads patterns and figures', () => {
  const text = `
# what the paper shows
include: plots
exclude: [drafts/, '*.tmp.png']
figures:
  - path: ./plots/a.png
    name: Figure 1
    code: fig1.py
    data: [data/a.csv, data/b.csv]
    description: |
      Two lines
      of text.
  - path: plots/b.png
`
  assert.deepEqual(parseRules(text), {
    include: ['plots'],
    exclude: ['drafts/', '*.tmp.png'],
    figures: [
      {
        path: 'plots/a.png',
        name: 'Figure 1',
        code: ['fig1.py'],
        data: ['data/a.csv', 'data/b.csv'],
        description: 'Two lines\nof text.\n',
      },
      {
        path: 'plots/b.png',
        name: undefined,
        code: undefined,
        data: undefined,
        description: undefined,
      },
    ],
  })
})

test('an empty file has no rules', () => {
  assert.deepEqual(parseRules(''), noRules)
  assert.deepEqual(parseRules('# nothing'), noRules)
})

const wrong: [text: string, message: RegExp][] = [
  ['include: [a\nfigures: b', /line \d: /],
  ['- a', /line 1: must have members/],
  ['include: a\nimport: b', /line 2: import is unknown; known are include, exclude, figures/],
  ['figures:\n  - name: x', /line 2: a figure must have a path/],
  ['figures:\n  - path: 3', /line 2: path must be a text/],
  ['figures: a', /line 1: figures must be a list/],
  ['figures:\n- a', /line 2: a figure must have members/],
  ['include: &a x\nexclude: *a', /line 2: exclude must be a text/],
  ['include: a\ninclude: b', /line 2: Map keys must be unique/],
  [`include: ${'x'.repeat(201)}`, /at most 200 characters/],
  [`include: [${'x,'.repeat(51)}]`, /at most 50 entries/],
  ['['.repeat(30_000), /line \d+: /],
]

for (const [text, message] of wrong) {
  test(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.throws(
      () => parseRules(text),
      (error: Error) => error instanceof RulesError && message.test(error.message),
    )
  })
}

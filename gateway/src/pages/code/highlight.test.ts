import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deadline, deadlineIn } from '../deadline.js'
import { highlight } from './highlight.js'
import { languageOf } from './languages.js'

const never: Deadline = { leftMs: () => 1 }

function shown(name: string, code: string, deadline = never): string {
  const language = languageOf(name)
  assert.ok(language)
  return highlight(code, language, deadline).toString()
}

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('marks keywords, strings, numbers and comments in each language', () => {
  for (const [name, code, ...expected] of [
    ['a.py', 'def f():\n  return "x" # c', 'hk">def', 'hs">', 'hc"># c'],
    ['a.R', 'x <- c(1) # c\nif (TRUE) "a"', 'hn">1', 'hc"># c', 'hk">if'],
    ['a.jl', 'function f(x) # c\n  "a"\nend', 'hk">function', 'hc"># c'],
    ['a.m', 'function y = f(x)\n% c\ny = 1;', 'function', 'hc">% c', 'hn">1'],
    ['a.sql', "select 1 from t where b = 'x' -- c", 'hk">select', 'hc">-- c'],
    ['a.json', '{"a": [1, true]}', 'hs">&quot;a&quot;', 'hn">1', 'hn">true'],
    ['a.yaml', 'a: 1 # c', 'hc"># c', 'hn">'],
    ['a.sh', 'for i in *; do echo "$i" # c\ndone', 'hk">for', 'hc"># c'],
  ] as const) {
    const markup = shown(name, code)
    for (const part of expected) assert.ok(markup.includes(part), `${part} in ${markup}`)
    assert.equal(textOf(markup), code)
  }
  assert.equal(languageOf('constructor'), undefined)
  assert.equal(languageOf('a.constructor'), undefined)
})

test('keeps all of hostile code, and escapes it', () => {
  const hostile = '<script>alert("1")</script>&amp;\r\n\t</code></pre>\n\n\u202e\u0000'
  for (const name of ['a.py', 'a.r', 'a.jl', 'a.m', 'a.sql', 'a.json', 'a.yml', 'a.sh', 'a.js']) {
    const markup = shown(name, hostile)
    assert.doesNotMatch(markup, /<(?!span class="h\w">|\/span>)/)
    assert.equal(textOf(markup), hostile)
  }
})

test('stops at the deadline and at long lines, and shows the rest plain', () => {
  const long = `x = 1\n${'y'.repeat(501)} = 2\nz = 3`
  assert.equal(shown('a.py', long).match(/<span/g)?.length, 1)
  assert.equal(textOf(shown('a.py', long)), long)
  let checks = 0
  const soon = { leftMs: () => 4 - ++checks }
  const code = 'x = 1\n'.repeat(10)
  const cut = shown('a.py', code, soon)
  assert.ok((cut.match(/<span/g)?.length ?? 0) < 3)
  assert.equal(textOf(cut), code)
})

test('hostile code takes little more time than allowed', () => {
  for (const name of ['a.py', 'a.r', 'a.jl', 'a.m', 'a.sql', 'a.json', 'a.yml', 'a.sh']) {
    for (const seed of ['"""', '{', '%{', '\\', ' ', 'def ', 'f"{', '[']) {
      const code = `${seed.repeat(500 / seed.length)}\n`.repeat(200)
      const begun = performance.now()
      shown(name, code, deadlineIn(50))
      const took = performance.now() - begun
      assert.ok(took < 2000, `${name} ${seed}: ${took} ms`)
    }
  }
})

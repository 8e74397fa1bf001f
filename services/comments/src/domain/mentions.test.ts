import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsIn } from './mentions.js'

const table = (name: string, cases: [content: string, names: string[]][]) =>
  test(name, () => {
    for (const [content, names] of cases) assert.deepEqual(mentionsIn(content), names, content)
  })

table('returns distinct names in order of appearance, in lower case', [
  ['', []],
  ['nobody', []],
  ['@ann', ['ann']],
  ['@bob and @Ann, then @BOB and @ann again', ['bob', 'ann']],
  ['first\n@ann\n\nsecond @bob\n', ['ann', 'bob']],
  ['(@ann), "@bob"; @carl: see @dora! or @eve? @fay', ['ann', 'bob', 'carl', 'dora', 'eve', 'fay']],
  ['for example:@ann,@bob;@carl|@dora', ['ann', 'bob', 'carl', 'dora']],
])

table('a name consists of username characters and ends in a letter, a digit or _', [
  ['@a @1 @_', ['a', '1', '_']],
  ['@ann.lee_2+x-y@z', ['ann.lee_2+x-y@z']],
  ['@ann. @bob... @carl- @dora+ @eve@ @fay.-+@', ['ann', 'bob', 'carl', 'dora', 'eve', 'fay']],
  ["@ann's @bob/x @carl#1 @dora%20", ['ann', 'bob', 'carl', 'dora']],
  ['@ @. @- @+ @@ @.-+@', []],
  ['@ann_ @_bob', ['ann_', '_bob']],
  ['@anné @éva', ['ann']],
  [`@${'a'.repeat(150)}`, ['a'.repeat(150)]],
  [`@${'a'.repeat(150)}.`, ['a'.repeat(150)]],
  [`@${'a'.repeat(151)}`, []],
])

table('ignores an @ within a word, an e-mail address or a path', [
  ['ann@example.org', []],
  ['mailto:ann@example.org, 5@2, é@ann, 漢@ann, e\u0301@ann', []],
  ['a_@ann a.@ann a/@ann a-@ann a+@ann', []],
  ['https://example.org/@ann', []],
  ['user@@ann', []],
  // `@ann` is a valid username.
  ['@@ann', ['@ann']],
  ['漢 @ann、@bob', ['ann', 'bob']],
  ['🙂@ann', ['ann']],
])

table('ignores code', [
  ['`@ann` and ``x ` @bob`` but @carl', ['carl']],
  ['`not closed @ann', ['ann']],
  ['\\`@ann\\`', ['ann']],
  ['```\n@ann\n```\n@bob', ['bob']],
  ['~~~python\n@ann\n~~~', []],
  ['```\n@ann', []],
  ['    @ann', []],
  ['text\n\n\t@ann\n\n@bob', ['bob']],
  // An indented line continues the paragraph; it is not code.
  ['text\n    @ann', ['ann']],
  ['> ```\n> @ann\n> ```\n> @bob', ['bob']],
  ['- item\n\n      @ann\n- @bob', ['bob']],
])

table('ignores links, images and HTML tags', [
  ['[@ann](https://example.org/x?u=@bob "@carl")', ['ann']],
  ['[text][ref] @ann\n\n[ref]: <x @bob> "@carl"', ['ann']],
  ['![@ann](picture.png) @bob', ['bob']],
  ['<https://example.org/?u=@ann> <mailto:x?cc=@bob> @carl', ['carl']],
  ['<ann@example.org> @bob', ['bob']],
  ['<a title="@ann">@bob</a>', ['bob']],
  ['<!-- @ann -->\n\n@bob', ['bob']],
  ['<div>\n@ann\n</div>', []],
])

table('finds mentions within other markup', [
  ['*@ann* **@bob** _@carl_ ***@dora***', ['ann', 'bob', 'carl', 'dora']],
  ['# @ann\n\n@bob\n===\n\n> @carl\n\n1. @dora\n   - @eve', ['ann', 'bob', 'carl', 'dora', 'eve']],
  ['&#64;ann \\@bob @ann&amp;', ['ann', 'bob']],
  ['&#64;ann', ['ann']],
  ['x&#64;ann x\\@bob', []],
  ['@ann_lee_x', ['ann_lee_x']],
  ['a\r\n@ann\r@bob\0@carl', ['ann', 'bob', 'carl']],
])

test('parses hostile texts of 64 KiB', () => {
  const length = 64 * 1024
  const filled = (part: string) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
  for (const part of ['@', '[', '`', '*', '_', '<', '!', '>', '&', '\\', '(', '\n', '\t', '- ']) {
    assert.deepEqual(mentionsIn(filled(part)), [], `of ${part}`)
    // The mention is in a paragraph of its own, which the hostile text cannot change.
    const names = mentionsIn(`@ann\n\n${filled(part)}`)
    assert.deepEqual(names, ['ann'], `before ${part}`)
  }
  const many = [
    '@a*',
    '*a_ ',
    '[a](',
    '![',
    '**@a *b ',
    '`a``',
    '<a @',
    '<!--',
    '> - ',
    '&#64;',
    '@.',
  ]
  for (const part of many) {
    assert.ok(mentionsIn(filled(part)).length <= 1, part)
  }
  const half = length / 8
  assert.deepEqual(mentionsIn(`${'['.repeat(half)}@ann${'](x)'.repeat(half)}`), ['ann'])
  assert.ok(mentionsIn(`${'!['.repeat(half)}@ann${'](x)'.repeat(half)}`).length <= 1)
  const numbered = Array.from({ length: 10_000 }, (_, n) => `@u${n}`)
  assert.equal(mentionsIn(numbered.join(' ')).length, 10_000)
})

test('ignores mentions in too deeply nested text', () => {
  const quoted = (depth: number) => mentionsIn(`${'>'.repeat(depth)} @ann`)
  assert.deepEqual([quoted(5), quoted(1000)], [['ann'], []])
  const listed = (depth: number) => mentionsIn(`${'- '.repeat(depth)}@ann`)
  assert.deepEqual([listed(3), listed(1000)], [['ann'], []])
})

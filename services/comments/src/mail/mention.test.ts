import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailTemplateContract, messagesContract } from '@figbase/kit/testing'
import { mentionMail } from './mention.js'

const url = 'https://figbase.example.org/figure/1#comment-2'
const figbase = { site: { name: 'Figbase', announcement: '' }, language: '' }

messagesContract({
  messages: new URL('../../../messages/', import.meta.url),
  sources: new URL('../../../src/', import.meta.url),
})

mailTemplateContract({
  withLink: (frame, name, link) => [
    mentionMail(frame, {
      author: name,
      target: 'figure',
      targetName: name,
      content: name,
      url: link,
    }),
  ],
})

const mention = (content: string, target: 'figure' | 'asset' | 'revision' = 'figure') =>
  mentionMail(figbase, { author: 'Ada', target, targetName: 'Cells', content, url })
const linesOf = (content: string) =>
  mention(content)
    .text.split('\n')
    .filter((line) => line.startsWith('> '))

test('does not name a target that the recipient may not view', () => {
  const of = { author: 'Ada', target: 'revision', targetName: '', content: 'x', url } as const
  const { subject, text } = mentionMail(figbase, of)
  assert.equal(subject, 'Ada mentioned you on a revision')
  assert.ok(text.startsWith('Ada mentioned you in a comment on a revision on Figbase:\n\n'), text)
})

test('names author, target and comment', () => {
  for (const [target, what] of [
    ['figure', 'the figure “Cells”'],
    ['asset', 'the asset “Cells”'],
    ['revision', 'a revision of “Cells”'],
  ] as const) {
    const { subject, text, html } = mention('See **this**, @bob', target)
    assert.equal(subject, `Ada mentioned you on ${what}`)
    assert.ok(text.startsWith(`Ada mentioned you in a comment on ${what} on Figbase:\n\n`), text)
    assert.match(text, /\n\n> See \*\*this\*\*, @bob\n\nSee the comment:\nhttps:/)
    assert.match(html, /<blockquote [^>]*>\n<p [^>]*>See \*\*this\*\*, @bob<\/p>\n<\/blockquote>/)
    for (const part of [text, html]) assert.match(part, /mention_emails/)
  }
})

test('quotes the comment line by line, sanitized', () => {
  const content =
    'one\r\n\n  two\tthree\r-- \u2028\u2029four\u202e\u0085\u0000five\n\u200b\n> six\n'
  assert.deepEqual(linesOf(content), [
    ...['> one', '> two three', '> --', '> four', '> five', '> > six'],
  ])
  const { html } = mention('</p></blockquote><img src=x>\n<a href="javascript:x">')
  assert.doesNotMatch(html, /<img|<\/blockquote><|javascript:x">/)
  assert.deepEqual(linesOf(' \n\u202e\n'), [])
  assert.doesNotMatch(mention('\u200b').html, /blockquote/)
})

test('truncates a long comment between characters', () => {
  assert.deepEqual(linesOf('🙂'.repeat(1000)), [`> ${'🙂'.repeat(1000)}`])
  assert.deepEqual(linesOf('🙂'.repeat(50_000)), [`> ${'🙂'.repeat(999)}…`])
  assert.deepEqual(linesOf(`${'x'.repeat(1000)}\ny`), [`> ${'x'.repeat(1000)}`, '> …'])
  const lines = Array.from({ length: 21 }, (_, n) => `line ${n}`)
  const shown = lines.slice(0, 20).map((line) => `> ${line}`)
  assert.deepEqual(linesOf(lines.slice(0, 20).join('\n')), shown)
  assert.deepEqual(linesOf(lines.join('\n')), [...shown, '> …'])
})

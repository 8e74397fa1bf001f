import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailFrame } from '@figbase/kit/mail'
import { mailTemplateContract } from '@figbase/kit/testing'
import { type NotificationKind, notificationKinds } from '../domain/notification-settings.js'
import { digestMail } from './digest.js'
import type { Notice, Noun } from './notice.js'
import { notificationMail } from './notification.js'

const url = 'https://figbase.example.org/figure/1'
const frame: MailFrame = { site: { name: 'Figbase', announcement: '' }, language: '' }
const linksTo = (link: string) => ({ settingsUrl: link, unsubscribeUrl: link })

const nouns: Noun[] = [
  ...(['organization', 'workspace', 'analysis', 'figure', 'asset', 'revision', 'story'] as const),
]

const actions = ['create', 'update', 'move', 'restore', 'comment_create', 'comment_update']

const noticeOf = (
  kind: NotificationKind,
  noun: Noun,
  more: Partial<Omit<Notice, 'kind'>> = {},
) => ({
  ...{ kind, noun, actor: 'Ada', name: 'Cells', text: '', url },
  ...more,
})

mailTemplateContract({
  withLink: (at, name, link) => {
    const of = (kind: NotificationKind, noun: Noun) =>
      noticeOf(kind, noun, { actor: name, name, text: name, url: link })
    const mails = notificationKinds.map((kind) =>
      notificationMail(at, of(kind, kind === 'failed_task' ? 'task' : 'figure'), linksTo(link)),
    )
    const shares = nouns.map((noun) => notificationMail(at, of('share', noun), linksTo(link)))
    return [...mails, ...shares]
  },
})

// The contract expects the name in paragraphs; a digest has it in the titles of its sections.
for (const language of ['en', 'de', 'fr']) {
  test(`${language}: a digest escapes names, bounds the lines of an object, and counts the rest`, () => {
    const hostile = '<img src=x>\r\nBcc: eve@example.org\u202e "q"'
    const mentions = Array.from({ length: 12 }, (_, n) =>
      noticeOf('mention', 'figure', { actor: `U${n}` }),
    )
    const digest = digestMail(
      { ...frame, language },
      {
        objects: [
          { notices: [noticeOf('mention', 'figure', { name: hostile, actor: hostile })] },
          { notices: mentions as [Notice, ...Notice[]] },
          ...actions.map((action) => ({
            notices: [
              { ...noticeOf('share', 'figure', { name: action }), kind: 'activity', action },
            ] as [Notice],
          })),
          { notices: [noticeOf('failed_task', 'task', { name: 'Import', url: undefined })] },
          ...nouns.map((noun) => ({ notices: [noticeOf('share', noun)] as [Notice] })),
        ],
        more: 7,
      },
      linksTo(url),
    )
    const { subject, text, html } = digest
    for (const part of [subject, text, html])
      assert.doesNotMatch(part, /^Bcc|(?!\n)\p{Cc}|[\u2028\u2029]|\p{Cf}/mu)
    assert.doesNotMatch(html, /<img/)
    assert.ok(html.includes('&lt;img src=x&gt;'))
    assert.match(text, /U9/)
    assert.doesNotMatch(text, /U10/)
    assert.match(text, /\n- .*2.*\n/)
    assert.match(text, /7/)
    assert.ok(html.includes(`<html lang="${language}">`))
    for (const action of actions) assert.match(text, new RegExp(`${action}.*\n.*\n- .*Ada`))
    // No message is left out: each noun has a title of its own.
    assert.equal(
      new Set(text.split('\n').filter((line) => line.includes('Cells'))).size,
      nouns.length,
    )
  })
}

test('a revision whose name the reader may not know has none', () => {
  const { subject, text } = notificationMail(
    frame,
    noticeOf('mention', 'unnamed', { name: '' }),
    linksTo(url),
  )
  assert.equal(subject, 'Ada mentioned you on a revision')
  assert.ok(text.startsWith('Ada mentioned you in a comment on a revision on Figbase:\n\n'), text)
})

test('a comment is quoted line by line, sanitized and truncated', () => {
  const linesOf = (content: string) =>
    notificationMail(frame, noticeOf('reply', 'figure', { text: content }), linksTo(url))
      .text.split('\n')
      .filter((line) => line.startsWith('> '))
  const content =
    'one\r\n\n  two\tthree\r-- \u2028\u2029four\u202e\u0085\u0000five\n\u200b\n> six\n'
  assert.deepEqual(linesOf(content), [
    ...['> one', '> two three', '> --', '> four', '> five', '> > six'],
  ])
  assert.deepEqual(linesOf(' \n\u202e\n'), [])
  assert.deepEqual(linesOf('🙂'.repeat(50_000)), [`> ${'🙂'.repeat(999)}…`])
  const lines = Array.from({ length: 21 }, (_, n) => `line ${n}`)
  assert.deepEqual(linesOf(lines.join('\n')), [
    ...lines.slice(0, 20).map((line) => `> ${line}`),
    '> …',
  ])
})

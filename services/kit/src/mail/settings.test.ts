import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../config/config.js'
import { readMailSettings } from './settings.js'

const read = (env: Record<string, string>) => readSettings(env, readMailSettings)
const sender = { MAIL_FROM: 'figbase@example.org' }

test('defaults to files and a local sender', () => {
  const { smtp, from } = read({})
  assert.equal(smtp, undefined)
  assert.deepEqual(from, { address: 'figbase@localhost', name: 'Figbase' })
})

test('reads host, port, encryption, user and password of SMTP_URL', () => {
  const cases: [string, object][] = [
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587 }],
    ['smtps://mail.example.org/', { host: 'mail.example.org', port: 465, secure: true }],
    ['smtp://localhost:25?tls=none', { host: 'localhost', port: 25, encrypted: false }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
    [
      'smtp://fig%40example.org:p%2Fa%3Ass@mail.example.org',
      { host: 'mail.example.org', port: 587, user: 'fig@example.org', password: 'p/a:ss' },
    ],
  ]
  const usual = { secure: false, encrypted: true, user: '', password: '' }
  for (const [url, expected] of cases) {
    assert.deepEqual(read({ SMTP_URL: url, ...sender }).smtp, { ...usual, ...expected }, url)
  }
})

test('reports an invalid SMTP_URL without its value', () => {
  for (const url of [
    'mail.example.org:secret',
    'http://fig:secret@example.org',
    'smtp://',
    'smtp://fig:secret@',
    'smtp://secret@example.org',
    'smtp://:secret@example.org',
    'smtp://fig:secret@example.org:0',
    'smtp://fig:secret@example.org:70000',
    'smtp://fig:secret@example.org/path',
    'smtp://fig:secret@example.org?tls=maybe',
    'smtp://fig:secret@example.org?secure=1',
    'smtps://fig:secret@example.org?tls=none',
    'smtp://fig:secret%E0%A4@example.org',
  ]) {
    const isNamed = (error: Error) =>
      /^SMTP_URL is not valid/.test(error.message) && !error.message.includes('secret')
    assert.throws(() => read({ SMTP_URL: url, ...sender }), isNamed, url)
  }
})

test('reads a sender with or without a name, required with SMTP_URL', () => {
  const cases: [string, object][] = [
    ['figbase@example.org', { address: 'figbase@example.org' }],
    ['<figbase@example.org>', { address: 'figbase@example.org' }],
    ['Labor für µ <fig@example.org>', { address: 'fig@example.org', name: 'Labor für µ' }],
    ['"Lab, Inc." <fig@example.org>', { address: 'fig@example.org', name: 'Lab, Inc.' }],
  ]
  for (const [text, expected] of cases) assert.deepEqual(read({ MAIL_FROM: text }).from, expected)
  for (const text of ['figbase', 'A <b', 'a@b, c@d', 'A\r\nB <a@example.org>', 'A <a@b> c']) {
    assert.throws(() => read({ MAIL_FROM: text }), /MAIL_FROM/, text)
  }
  assert.throws(() => read({ SMTP_URL: 'smtp://example.org' }), /MAIL_FROM is required/)
})

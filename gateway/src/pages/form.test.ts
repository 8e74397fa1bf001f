import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireOwnOrigin } from './form.js'

const host = 'figures.example'

const own: [string, Record<string, string>, string?][] = [
  ['the browser says so', { host, 'sec-fetch-site': 'same-origin' }],
  ['the origin is the host that was asked', { host, origin: 'http://figures.example' }],
  [
    'the origin is PUBLIC_URL',
    { host: '10.0.0.7:8000', origin: 'https://fig.org' },
    'https://fig.org/',
  ],
]
for (const [name, headers, publicUrl = ''] of own) {
  test(`a form of this site: ${name}`, () => {
    assert.doesNotThrow(() => requireOwnOrigin(headers, publicUrl))
  })
}

const foreign: [string, Record<string, string>, string?][] = [
  ['nothing says where it comes from', { host }],
  ['another site', { host, origin: 'https://evil.example' }],
  ['a neighbour', { host, origin: 'http://figures.example', 'sec-fetch-site': 'same-site' }],
  ['a bookmark, which sends no form', { host, 'sec-fetch-site': 'none' }],
  ['another port', { host, origin: 'http://figures.example:8080' }],
  ['a sandbox', { host, origin: 'null' }],
  ['a site whose name begins the same', { host, origin: 'http://figures.example.evil.example' }],
  ['another scheme than PUBLIC_URL', { host: 'x', origin: 'http://fig.org' }, 'https://fig.org'],
  ['no origin at all', { host: '', origin: 'file:' }],
]
for (const [name, headers, publicUrl = ''] of foreign) {
  test(`refused: ${name}`, () => {
    assert.throws(() => requireOwnOrigin(headers, publicUrl), {
      status: 403,
      error: 'foreign_origin',
    })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireOwnOrigin } from './form.js'

const host = 'figures.example'

const own: [string, Record<string, string>, string?][] = [
  ['Sec-Fetch-Site is same-origin', { host, 'sec-fetch-site': 'same-origin' }],
  ['Origin is the Host', { host, origin: 'http://figures.example' }],
  [
    'Origin is PUBLIC_URL',
    { host: '10.0.0.7:8000', origin: 'https://fig.org' },
    'https://fig.org/',
  ],
]
for (const [name, headers, publicUrl = ''] of own) {
  test(`accepts a form of this site: ${name}`, () => {
    assert.doesNotThrow(() => requireOwnOrigin(headers, publicUrl))
  })
}

const foreign: [string, Record<string, string>, string?][] = [
  ['without Origin', { host }],
  ['from another site', { host, origin: 'https://evil.example' }],
  [
    'from another subdomain',
    { host, origin: 'http://figures.example', 'sec-fetch-site': 'same-site' },
  ],
  ['Sec-Fetch-Site is none', { host, 'sec-fetch-site': 'none' }],
  ['from another port', { host, origin: 'http://figures.example:8080' }],
  ['from a sandboxed frame', { host, origin: 'null' }],
  ['from a site with the same prefix', { host, origin: 'http://figures.example.evil.example' }],
  [
    'with another scheme than PUBLIC_URL',
    { host: 'x', origin: 'http://fig.org' },
    'https://fig.org',
  ],
  ['with an empty Host and an opaque Origin', { host: '', origin: 'file:' }],
]
for (const [name, headers, publicUrl = ''] of foreign) {
  test(`rejects a form: ${name}`, () => {
    assert.throws(() => requireOwnOrigin(headers, publicUrl), {
      status: 403,
      error: 'foreign_origin',
    })
  })
}

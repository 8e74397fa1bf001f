import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGitUrl } from './git-url.js'

test('reads HTTPS, SSH and the short form of SSH', () => {
  const https = { protocol: 'https', host: 'host.example', port: 443 }
  const ssh = { protocol: 'ssh', host: 'host.example', port: 22 }
  const cases: [string, object][] = [
    ['https://host.example/a/b.git', { ...https, address: 'https://host.example/a/b.git' }],
    ['HTTPS://Host.Example:443/a', { ...https, address: 'https://host.example/a' }],
    [
      'https://host.example:8443/a',
      { ...https, port: 8443, address: 'https://host.example:8443/a' },
    ],
    ['https://host.example/a/../b', { ...https, address: 'https://host.example/b' }],
    [
      'https://[2001:DB8::1]/a',
      { ...https, host: '2001:db8::1', address: 'https://[2001:db8::1]/a' },
    ],
    ['https://2130706433/a', { ...https, host: '127.0.0.1', address: 'https://127.0.0.1/a' }],
    [
      'https://bücher.example/a',
      { ...https, host: 'xn--bcher-kva.example', address: 'https://xn--bcher-kva.example/a' },
    ],
    ['ssh://ada@host.example/a/b.git', { ...ssh, address: 'ssh://ada@host.example/a/b.git' }],
    ['ssh://host.example/~ada/b', { ...ssh, address: 'ssh://git@host.example/~ada/b' }],
    ['ssh://git@host.example:2222/a', { ...ssh, port: 2222, address: 'ssh://git@host.example/a' }],
    [
      'ssh://git@[2001:db8::1]:2222/a',
      { ...ssh, host: '2001:db8::1', port: 2222, address: 'ssh://git@[2001:db8::1]/a' },
    ],
    ['git@host.example:a/b.git', { ...ssh, address: 'git@host.example:a/b.git' }],
    ['git@[2001:db8::1]:a', { ...ssh, host: '2001:db8::1', address: 'git@[2001:db8::1]:a' }],
  ]
  for (const [text, expected] of cases) assert.deepEqual(parseGitUrl(text), expected, text)
})

test('says what is wrong with a URL', () => {
  const cases: [string, RegExp][] = [
    ['', /^must be https/],
    ['https://host.example', /^must be https/],
    ['http://host.example/a', /^must be https/],
    ['git@host.example', /^must be https/],
    ['host.example:a', /^must be https/],
    ['git@-host:a', /^must be https/],
    ['git@host.example:-a', /^must be https/],
    ['ssh://git@host.example:0/a', /^must be https/],
    ['ext::sh', /^must be https/],
    ['a@b::c', /^must be https/],
    ['https://ada@host.example/a', /use the token$/],
    ['https://:secret@host.example/a', /use the token$/],
    ['ssh://ada:secret@host.example/a', /use the private key$/],
    ['ssh://git@host.example/a%20b', /^must not contain %$/],
    ['https://host.example/a?b', /\? or #$/],
    ['https://host.example/a b', /spaces/],
    ['https://host.example/a\u202eb', /spaces/],
    ['https://host.example\\a', /backslashes/],
    [`https://host.example/${'a'.repeat(1000)}`, /at most 1000 characters/],
  ]
  for (const [text, expected] of cases) {
    const parsed = parseGitUrl(text)
    assert.match(
      'problem' in parsed ? parsed.problem : `accepted: ${parsed.address}`,
      expected,
      text,
    )
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddressOf } from './client-address.js'

test('normalizes IPv4 addresses, IPv6 networks and invalid addresses', () => {
  const table: [string | undefined, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '::'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3::'],
    ['fe80::1%eth0', 'fe80::'],
    [undefined, ''],
    ['', ''],
    ['<script>', ''],
    ['192.0.2.1, 192.0.2.2', ''],
    ['192.0.2.1:80', ''],
    ['x'.repeat(100_000), ''],
  ]
  for (const [text, expected] of table) assert.equal(clientAddressOf(text), expected, text)
})

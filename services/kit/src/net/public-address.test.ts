import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.js'

test('accepts public addresses, also mapped and NAT64', () => {
  for (const address of [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2A00:1450:4001:80b::200e',
    '::ffff:1.1.1.1',
    '::ffff:101:101',
    '64:ff9b::1.1.1.1',
  ]) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('rejects special ranges in all notations', () => {
  const special = [
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.0.0',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.255.255',
    '192.175.48.1',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
  ]
  const hex = (address: string) => Buffer.from(address.split('.').map(Number)).toString('hex')
  const halves = (address: string) => hex(address).replace(/(.{4})/, '$1:')
  for (const address of special) {
    for (const form of [
      address,
      `::ffff:${address}`,
      `::ffff:${halves(address)}`,
      `0:0:0:0:0:FFFF:${halves(address)}`,
      `64:ff9b::${address}`,
      `64:ff9b::${halves(address)}`,
      `64:ff9b:1::${address}`,
      `2002:${halves(address)}::1`,
      `::ffff:0:${address}`,
      `::${address}`,
    ]) {
      assert.equal(isPublicAddress(form), false, form)
    }
  }
  for (const address of [
    '::',
    '::1',
    '64:ff9b:1::1.1.1.1',
    '2002:101:101::1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:db8::1',
    '2620:4f:8000::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ffff::1',
  ]) {
    assert.equal(isPublicAddress(address), false, address)
  }
})

test('rejects invalid addresses', () => {
  for (const text of ['', 'example.org', '1.1.1.1.1', '1.1.1.1/8', '[2606:4700::1]', ':::']) {
    assert.equal(isPublicAddress(text), false, text)
  }
})

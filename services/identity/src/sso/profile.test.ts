import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileOf } from './profile.js'

test('derives a username from the claims, without disclosing an address', () => {
  for (const [claims, preferredUsername] of [
    [{ preferred_username: 'grace' }, 'grace'],
    [{ preferred_username: 'grace@example.org', email: 'g.h@example.org' }, 'grace'],
    [{ email: 'grace.hopper+x@example.org' }, 'grace.hopper+x'],
    [{ preferred_username: 'Jürgen Müller' }, 'Jurgen-Muller'],
    [{ preferred_username: '王小明', email: 'wang@example.org' }, 'wang'],
    [{ preferred_username: '..', nickname: 'me', given_name: 'Ada' }, 'Ada'],
    [{ preferred_username: '../../etc' }, 'etc'],
    [{ preferred_username: 'system', email: 'ai@example.org' }, 'user'],
    [{ preferred_username: 'x'.repeat(10_000) }, 'x'.repeat(100)],
    [{ preferred_username: 42, email: null }, 'user'],
    [{}, 'user'],
  ] as const) {
    assert.equal(profileOf(claims).preferredUsername, preferredUsername)
  }
})

test('an address is verified only if the claim is exactly true', () => {
  const email = 'grace@example.org'
  for (const [claim, isVerified] of [
    [true, true],
    [false, false],
    ['true', false],
    [1, false],
    [undefined, false],
  ] as const) {
    assert.equal(profileOf({ email, email_verified: claim }).isVerified, isVerified)
  }
  const unusable = profileOf({ email: 'a b@example.org', email_verified: true })
  assert.deepEqual([unusable.email, unusable.isVerified], ['', false])
})

test('omits names that cannot be stored', () => {
  const { firstName, lastName } = profileOf({ given_name: 'Gra\0ce', family_name: 'x'.repeat(151) })
  assert.deepEqual([firstName, lastName], ['Grace', ''])
  assert.equal(profileOf({ name: 'Grace Hopper' }).firstName, 'Grace Hopper')
})

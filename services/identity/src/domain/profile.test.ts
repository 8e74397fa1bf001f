import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { changedProfile, mailLanguageOf, newProfile, wantsMentionEmails } from './profile.js'

const problemOf = (changes: string) => {
  try {
    changedProfile('{"a":1}', changes, 50)
  } catch (error) {
    assert.ok(error instanceof ConnectError)
    return detailOf(error)?.fields[0]
  }
  return undefined
}

test('replaces members of the same name, and keeps others', () => {
  const stored = '{"ui_data":{"a":1,"b":2},"more":[1.0]}'
  const changed = changedProfile(stored, '{"ui_data":{"c":3}}', 1000)
  assert.equal(changed, '{"ui_data":{"c":3},"more":[1.0]}')
})

test('rejects values that are not objects, cannot be stored, or exceed the size', () => {
  for (const changes of ['', 'x', '[]', ' [{}]', '"{"', '1', 'null', '{"a":"\\u0000"}', '{"a"']) {
    assert.equal(problemOf(changes)?.field, 'user_profile', changes)
  }
  const nested = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`
  assert.match(problemOf(nested)?.reason ?? '', /nested/)
  assert.equal(problemOf(`{"b":"${'x'.repeat(36)}"}`), undefined)
  const tooMuch = 'may have at most 50 bytes with what is stored already'
  const problem = problemOf(`{"b":"${'x'.repeat(37)}"}`)
  assert.deepEqual([problem?.field, problem?.reason], ['user_profile', tooMuch])
  assert.equal(problemOf('[]')?.reason, 'must be an object')
})

test('mention_emails must be a boolean', () => {
  const stored = '{"ui_data":{"mention_emails":1}}'
  for (const value of ['true', 'false', ' false\n']) {
    const changed = changedProfile(stored, `{"mention_emails":${value}}`, 1000)
    assert.equal(changed, `{"ui_data":{"mention_emails":1},"mention_emails":${value.trim()}}`)
    assert.equal(wantsMentionEmails(changed), value === 'true', value)
  }
  for (const value of ['null', '"false"', '0', '[]', '{"a":false}', '[false]']) {
    for (const name of ['mention_emails', 'mention\\u005femails']) {
      const problem = problemOf(`{"${name}":${value}}`)
      assert.equal(problem?.field, 'user_profile.mention_emails', value)
      assert.equal(problem?.reason, 'must be true or false')
    }
  }
})

test('mention mails are on by default', () => {
  for (const profile of ['{}', '{"ui_data":{"mention_emails":false}}', '{"a":"\\u0000"}']) {
    assert.equal(wantsMentionEmails(profile), true, profile)
  }
  assert.equal(wantsMentionEmails('{"a":"\\u0000","mention\\u005femails":false}'), false)
})

test('mail_language must be a language tag', () => {
  const stored = '{"ui_data":{"mail_language":1}}'
  for (const [value, language] of [
    ['"de"', 'de'],
    ['"pt-BR"', 'pt-BR'],
    ['null', ''],
  ] as const) {
    assert.equal(
      mailLanguageOf(changedProfile(stored, `{"mail_language":${value}}`, 1000)),
      language,
    )
  }
  for (const value of [
    '""',
    '"de_CH"',
    '"German, please"',
    '0',
    '["de"]',
    '{}',
    `"${'a'.repeat(99)}"`,
  ]) {
    const problem = problemOf(`{"mail_language":${value}}`)
    assert.equal(problem?.field, 'user_profile.mail_language', value)
  }
})

test('a profile of before has no language, whatever it contains', () => {
  for (const profile of ['{}', '{"mail_language":{"a":1}}', '{"mail_language":"German, please"}']) {
    assert.equal(mailLanguageOf(profile), '', profile)
  }
  assert.equal(mailLanguageOf(newProfile('de-CH')), 'de-CH')
  assert.equal(newProfile(''), '{}')
  assert.throws(() => newProfile('\r\nBcc: eve'), /mail_language/)
})

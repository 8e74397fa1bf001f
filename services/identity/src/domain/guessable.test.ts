import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGuessable } from './guessable.js'

/** The most expensive inputs of the estimator: substitutions, keys, sequences, repetitions, dates. */
const costly = ['P@ssw0rd', 'p4$5w0rD', '4@(3160|$57%2', 'qwertyuiop', '123456789', '19900101', 'a']

test('bounds the time of an estimate for the longest passwords', () => {
  isGuessable('create the estimator first', [])
  for (const part of costly) {
    const password = part.repeat(1024).slice(0, 1024)
    const began = process.cpuUsage()
    isGuessable(password, ['x'.repeat(1 << 20), `${password}@example.org`])
    const { user, system } = process.cpuUsage(began)
    const cpuMs = (user + system) / 1000
    assert.ok(cpuMs < 250, `${part}: ${cpuMs} ms of CPU`)
  }
})

test('accepts passwords that 200 guesses per minute do not find within days', () => {
  for (const password of ['correct horse', 'pw Xb3kQ9ü', 'kdjf83jf']) {
    assert.equal(isGuessable(password, ['ada']), false, password)
  }
})

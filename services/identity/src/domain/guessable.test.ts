import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGuessable } from './guessable.js'

/** What costs the estimator most, by its own bounds: substitutions, keys, sequences, repetitions, dates. */
const costly = ['P@ssw0rd', 'p4$5w0rD', '4@(3160|$57%2', 'qwertyuiop', '123456789', '19900101', 'a']

test('an estimate of a password as long as may be is bounded', () => {
  isGuessable('made before it is measured', [])
  for (const part of costly) {
    const password = part.repeat(1024).slice(0, 1024)
    const began = process.cpuUsage()
    isGuessable(password, ['x'.repeat(1 << 20), `${password}@example.org`])
    const { user, system } = process.cpuUsage(began)
    const cpuMs = (user + system) / 1000
    assert.ok(cpuMs < 250, `${part}: ${cpuMs} ms of CPU`)
  }
})

test('what 200 guesses a minute for days do not find is none', () => {
  for (const password of ['correct horse', 'pw Xb3kQ9ü', 'kdjf83jf']) {
    assert.equal(isGuessable(password, ['ada']), false, password)
  }
})

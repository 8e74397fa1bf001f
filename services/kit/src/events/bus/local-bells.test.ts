import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bell } from '../bell.js'
import { LocalBells, localBellsOf } from './local-bells.js'

test('whoever receives at a place is woken, and only while it receives', async () => {
  const bells = new LocalBells()
  assert.equal(bells.ring('a/0'), false)
  const [first, second, other] = [new Bell(), new Bell(), new Bell()]
  using _ = bells.add('b/0', other)
  {
    using _first = bells.add('a/0', first)
    using _second = bells.add('a/0', second)
    assert.equal(bells.ring('a/0'), true)
    const ended = new AbortController()
    for (const bell of [first, second]) assert.equal(await bell.wait(60_000, ended.signal), true)
    ended.abort()
    assert.equal(await other.wait(60_000, ended.signal), false)
  }
  assert.equal(bells.ring('a/0'), false)
})

test('the services of a process share them where they use the same database, each with its own role', () => {
  const one = localBellsOf('postgres://catalog:secret@127.0.0.1:5432/figbase')
  assert.equal(localBellsOf('postgres://tasks:other@127.0.0.1:5432/figbase?sslmode=disable'), one)
  assert.notEqual(localBellsOf('postgres://catalog:secret@127.0.0.1:5432/another'), one)
  assert.notEqual(localBellsOf('postgres://catalog:secret@127.0.0.1:5433/figbase'), one)
})

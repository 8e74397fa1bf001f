import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateTokens } from '../model/estimate-tokens.js'
import { withinBudget } from './budget.js'

const long = 'word '.repeat(20_000)
const tokensOf = (parts: { text: string }[]) =>
  parts.reduce((sum, { text }) => sum + estimateTokens(text), 0)

test('what fits stays whole, and nothing is said to be left out', async () => {
  const parts = [
    { kind: 'text', name: 'notes.txt', text: 'notes' },
    { kind: 'code', text: 'x = 1' },
    { kind: 'about', text: 'name: A' },
  ]
  const { parts: kept, omissions } = await withinBudget(parts, 1000)
  assert.deepEqual(kept, [parts[2], parts[1], parts[0]])
  assert.deepEqual(omissions, [])
})

test('each kind gets its share, and the whole stays within the budget', async () => {
  const kinds = ['about', 'code', 'table', 'metadata', 'text', 'picture_text']
  const parts = kinds.map((kind) => ({ kind, name: 'n', text: long }))
  const { parts: kept, omissions } = await withinBudget(parts, 10_000)
  assert.deepEqual(
    kept.map(({ kind }) => kind),
    kinds,
  )
  assert.ok(tokensOf(kept) <= 10_000 && tokensOf(kept) > 9000, String(tokensOf(kept)))
  const code = tokensOf(kept.filter(({ kind }) => kind === 'code'))
  assert.ok(code > 4000 && code <= 4500, String(code))
  assert.equal(omissions.length, kinds.length)
  assert.match(omissions[1] ?? '', /^code n: only the first \d+ of 100000 characters$/)
  assert.match(omissions[5] ?? '', /^picture text n: /)
})

test('the share that one kind does not need goes to the others', async () => {
  const parts = [{ kind: 'picture_text', text: long }]
  const { parts: kept } = await withinBudget(parts, 10_000)
  assert.ok(tokensOf(kept) > 9500)
})

test('a part without any room is left out, and named', async () => {
  const parts = [
    { kind: 'code', name: 'a.py', text: long },
    { kind: 'code', name: 'b.py', text: long },
  ]
  const { parts: kept, omissions } = await withinBudget(parts, 1000)
  assert.deepEqual(
    kept.map(({ name }) => name),
    ['a.py'],
  )
  assert.equal(omissions[1], 'code b.py: left out')
})

test('text that is no natural language stays within the budget, too', async () => {
  const text = Array.from({ length: 60_000 }, (_, index) =>
    ((index * 7919) % 36).toString(36),
  ).join('')
  const { parts: kept } = await withinBudget([{ kind: 'code', text }], 5000)
  assert.ok(tokensOf(kept) <= 5000)
})

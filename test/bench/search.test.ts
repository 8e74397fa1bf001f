import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions } from './options.js'
import { CorpusMissing, requireCorpus } from './search-quality/corpus.js'
import { Generated } from './search-speed/generated.js'

test('search-speed takes the number of figure revisions', () => {
  const options = readOptions(['--only', 'search-speed', '--objects', '1000000'])
  assert(options !== 'help')
  assert.deepEqual([options.searchSpeed, options.searchQuality], [true, false])
  assert.equal(options.objects, 1_000_000)
  assert.throws(() => readOptions(['--objects', 'many']), /--objects must be a whole number/)
})

test('says which directory has no corpus', () => {
  process.env.FIGBASE_CORPUS = '/nowhere'
  assert.throws(requireCorpus, (error) => error instanceof CorpusMissing)
  assert.throws(requireCorpus, /\/nowhere\/manifest\.json does not exist/)
})

test('generates the same data each time', () => {
  const [one, other] = [new Generated(1), new Generated(1)]
  const text = one.text(60)
  assert.equal(text, other.text(60))
  for (const word of one.queryIn(text).split(' ')) assert(text.split(' ').includes(word))
  const length = one.vector(512).reduce((sum, value) => sum + value * value, 0)
  assert(Math.abs(length - 1) < 1e-3)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readSettings } from '@figbase/kit/config'
import { readEmbedderConfig } from './config.js'

const read = (env: Record<string, string>) => readSettings(env, readEmbedderConfig)

test('the bundled model needs no settings', () => {
  const { embedder, textCharsMax, timeoutMs, concurrency } = read({})
  assert.deepEqual([embedder, textCharsMax, timeoutMs, concurrency], ['bundled', 600, 20_000, 1])
})

test('the others need where the model is', () => {
  assert.throws(() => read({ EMBEDDER: 'openai' }), /EMBEDDER_URL is required/)
  assert.throws(() => read({ EMBEDDER: 'local' }), /EMBEDDER_DIR is required/)
  const url = 'https://api.example.org/v1'
  assert.equal(read({ EMBEDDER: 'openai', EMBEDDER_URL: `${url}/` }).url, url)
})

test('refuses unknown models and too long vectors', () => {
  assert.throws(() => read({ EMBEDDER: 'word2vec' }), ConfigError)
  assert.throws(() => read({ EMBEDDER_DIMENSIONS: '8193' }), /at most 8192/)
})

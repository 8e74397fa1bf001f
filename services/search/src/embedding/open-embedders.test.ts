import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '@figbase/kit/config'
import { readEmbedderConfig } from './config.js'
import { openEmbedders } from './open-embedders.js'
import { EmbedderError } from './port.js'

const open = (env: Record<string, string>) => openEmbedders(readSettings(env, readEmbedderConfig))

test('opens the configured model twice', async () => {
  await using bundled = await open({})
  assert.match(bundled?.queries.model ?? '', /^universal-sentence-encoder-lite@/)
  assert.equal(bundled?.indexing.dimensions, 512)
  const server = { EMBEDDER: 'openai', EMBEDDER_URL: 'http://127.0.0.1:9', EMBEDDER_MODEL: 'm-1' }
  await using openai = await open({ ...server, EMBEDDER_DIMENSIONS: '3' })
  assert.equal(openai?.queries.model, 'openai/m-1/3')
  assert.equal(openai?.indexing.dimensions, 3)
  assert.equal(await open({ EMBEDDER: 'none' }), undefined)
})

test('an incomplete local model fails at the start', async () => {
  const local = { EMBEDDER: 'local', EMBEDDER_DIR: '/nowhere' }
  await assert.rejects(open(local), EmbedderError)
})

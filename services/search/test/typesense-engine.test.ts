import assert from 'node:assert/strict'
import { after } from 'node:test'
import { documentOf, searchEngineContract } from '../src/engine/contract.js'
import { createTypesenseEngine } from '../src/engine/typesense/typesense-engine.js'
import { startTypesenseServer } from './typesense-server.js'
import { noModel, settingsOf } from './typesense-settings.js'

const server = await startTypesenseServer()
after(async () => {
  await server[Symbol.asyncDispose]()
  assert.deepEqual([...new Set(server.problems)], [])
})

const engine = createTypesenseEngine(settingsOf(server), noModel)

searchEngineContract('Typesense', async () => ({
  engine,
  // Typesense stores the places itself.
  writePlaces: async () => {},
  rejected: documentOf({ name: 'rejected' }, { createdOn: 'not a date' }),
}))

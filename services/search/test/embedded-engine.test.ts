import { after } from 'node:test'
import { documentOf, searchEngineContract } from '../src/engine/contract.js'
import { createEmbeddedEngine } from '../src/engine/embedded/embedded-engine.js'
import { type EngineDatabase, startEngineDatabase, writePlaces } from './engine-service.js'

let starting: Promise<EngineDatabase> | undefined
after(async () => (await starting)?.[Symbol.asyncDispose]())

searchEngineContract('embedded', async () => {
  starting ??= startEngineDatabase()
  const { db } = await starting
  return {
    engine: createEmbeddedEngine(db),
    writePlaces: (documents) => writePlaces(db, documents),
    rejected: { ...documentOf({ name: 'rejected' }), id: 'not a UUID' },
  }
})

import { after, before, test } from 'node:test'
import { createS3Store } from '../src/index.js'
import { objectStoreContract } from '../src/ports/objects/contract.js'
import { type S3Server, startS3Server, whyWithoutS3 } from '../src/testing/index.js'

const missing = whyWithoutS3()
if (missing) test('objects on S3', { skip: missing }, () => {})
else {
  let server: S3Server
  before(async () => {
    server = await startS3Server()
  })
  after(() => server[Symbol.asyncDispose]())

  const newStore = async (prefix: string) =>
    createS3Store({ ...server.storeOptions(await server.newBucket()), prefix })

  objectStoreContract('S3', () => newStore(''))
  objectStoreContract('S3, below a prefix', () => newStore('/lab/figures/'))
}

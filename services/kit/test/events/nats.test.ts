import { test } from 'node:test'
import { eventContract } from './contract.js'
import { startNatsServer, whyWithoutNats } from './nats-server.js'

const missing = whyWithoutNats()
if (missing) test('events on NATS', { skip: missing }, () => {})
else {
  eventContract(async () => {
    const server = await startNatsServer()
    return {
      natsUrl: server.url,
      async wipe() {
        await server.wipe()
        await server.start()
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  })
}

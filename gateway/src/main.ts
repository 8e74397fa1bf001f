import {
  clientInterceptor,
  connectNeighbours,
  internalKeyPurpose,
  Lifecycle,
  readKeys,
  readNeighbourSettings,
  readSettings,
  runProcess,
} from '@figbase/kit'
import { startGateway } from './start-gateway.js'

await runProcess(async () => {
  const { env } = process
  const { keys, urls } = readSettings(env, (reader) => ({
    keys: readKeys(reader),
    urls: readNeighbourSettings(reader),
  }))
  const lifecycle = new Lifecycle()
  const neighbours = connectNeighbours(urls, [clientInterceptor(keys.derive(internalKeyPurpose))])
  lifecycle.onStop(() => neighbours[Symbol.asyncDispose]())
  const gateway = await startGateway({ env, transportTo: neighbours.transportTo })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
  return { port: gateway.port, [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose]() }
})

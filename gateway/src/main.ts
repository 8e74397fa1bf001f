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
  const { keys, urls, calls } = readSettings(env, (reader) => ({
    keys: readKeys(reader),
    ...readNeighbourSettings(reader),
  }))
  const lifecycle = new Lifecycle()
  const interceptors = [clientInterceptor(keys.derive(internalKeyPurpose))]
  const neighbours = connectNeighbours(urls, interceptors, { settings: calls })
  lifecycle.onStop(() => neighbours[Symbol.asyncDispose]())
  const gateway = await startGateway({ env, transportTo: neighbours.transportTo })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
  return { port: gateway.port, [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose]() }
})

import {
  clientInterceptor,
  connectNeighbours,
  internalKeyPurpose,
  keysFrom,
  Lifecycle,
  readNeighbourSettings,
  readSettings,
  runProcess,
} from '@figbase/kit'
import { startGateway } from './start-gateway.js'

await runProcess(async () => {
  const { env } = process
  const key = keysFrom(env.FIGBASE_SECRET_KEY ?? '').derive(internalKeyPurpose)
  const urls = readSettings(env, readNeighbourSettings)
  const lifecycle = new Lifecycle()
  const neighbours = connectNeighbours(urls, [clientInterceptor(key)])
  lifecycle.onStop(() => neighbours[Symbol.asyncDispose]())
  const gateway = await startGateway({ env, transportTo: neighbours.transportTo })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
  return { port: gateway.port, [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose]() }
})

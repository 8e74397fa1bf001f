import {
  clientInterceptor,
  connectNeighbours,
  internalKeyPurpose,
  Lifecycle,
  openOperations,
  readKeys,
  readNeighbourSettings,
  readOperationsSettings,
  readSettings,
  runProcess,
} from '@figbase/kit'
import { startGateway } from './start-gateway.js'

await runProcess(async () => {
  const { env } = process
  const { keys, urls, calls, ...settings } = readSettings(env, (reader) => ({
    keys: readKeys(reader),
    ...readNeighbourSettings(reader),
    operations: readOperationsSettings(reader),
  }))
  const lifecycle = new Lifecycle()
  const interceptors = [clientInterceptor(keys.derive(internalKeyPurpose))]
  const neighbours = connectNeighbours(urls, interceptors, { settings: calls })
  lifecycle.onStop(() => neighbours[Symbol.asyncDispose]())
  const operations = await openOperations(settings.operations)
  lifecycle.onStop(() => operations?.[Symbol.asyncDispose]())
  const gateway = await startGateway({ env, transportTo: neighbours.transportTo, operations })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
  lifecycle.onStop(() => operations?.readiness.stopping())
  operations?.readiness.started()
  return {
    port: gateway.port,
    operationsPort: operations?.port,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
})

import {
  clientInterceptor,
  connectNeighbours,
  type EnvReader,
  internalKeyPurpose,
  Lifecycle,
  openOperations,
  openTracing,
  readKeys,
  readLogLevel,
  readNeighbourSettings,
  readOperationsSettings,
  readSettings,
  readStopSettings,
  readTracingSettings,
  runProcess,
  stopBeingReady,
} from '@figbase/kit'
import { startGateway } from './start-gateway.js'

await runProcess(async () => {
  const { env } = process
  const { keys, urls, calls, ...settings } = readSettings(env, (reader) => ({
    keys: readKeys(reader),
    ...readAllNeighbours(reader),
    ...readStopSettings(reader),
    logLevel: readLogLevel(reader),
    operations: readOperationsSettings(reader),
    tracing: readTracingSettings(reader),
  }))
  const { logLevel } = settings
  const lifecycle = new Lifecycle()
  const serviceName = 'figbase-gateway'
  const tracing = await openTracing(settings.tracing, { serviceName, logLevel })
  lifecycle.onStop(() => tracing?.[Symbol.asyncDispose]())
  const interceptors = [clientInterceptor(keys.derive(internalKeyPurpose))]
  const neighbours = connectNeighbours(urls, interceptors, { settings: calls })
  lifecycle.onStop(() => neighbours[Symbol.asyncDispose]())
  const operations = await openOperations(settings.operations)
  lifecycle.onStop(() => operations?.[Symbol.asyncDispose]())
  const { transportTo, checks } = neighbours
  const gateway = await startGateway({ env, transportTo, checks, operations, tracing })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
  lifecycle.onStop(() => {
    gateway.leave()
    return stopBeingReady(operations, settings.shutdownDelayMs)
  })
  operations?.readiness.started()
  return {
    port: gateway.port,
    operationsPort: operations?.port,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
})

function readAllNeighbours(reader: EnvReader) {
  const neighbours = readNeighbourSettings(reader)
  for (const [name, urls] of Object.entries(neighbours.urls)) {
    if (urls?.length === 0)
      reader.problems.push(`${name.toUpperCase()}_URL is required: where ${name} answers`)
  }
  return neighbours
}

import { type EnvReader, readSettings } from '@figbase/kit/config'
import { readKeys } from '@figbase/kit/keys'
import {
  announceShutdown,
  openOperations,
  readOperationsSettings,
  readStopSettings,
} from '@figbase/kit/operations'
import { clientInterceptor, connectPeers, peerSettingOf } from '@figbase/kit/rpc'
import { internalKeyPurpose, Lifecycle, runProcess } from '@figbase/kit/service'
import { readLogLevel, readPeerSettings } from '@figbase/kit/settings'
import { openTracing, readTracingSettings } from '@figbase/kit/tracing'
import { startGateway } from './start-gateway.js'

await runProcess(async () => {
  const { env } = process
  const { keys, urls, calls, ...settings } = readSettings(env, (reader) => ({
    keys: readKeys(reader),
    ...readAllPeers(reader),
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
  const peers = connectPeers(urls, interceptors, { settings: calls })
  lifecycle.onStop(() => peers[Symbol.asyncDispose]())
  const operations = await openOperations(settings.operations)
  lifecycle.onStop(() => operations?.[Symbol.asyncDispose]())
  const { transportTo, checks } = peers
  const gateway = await startGateway({ env, transportTo, checks, operations, tracing })
  lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
  lifecycle.onStop(() => {
    gateway.leave()
    return announceShutdown(operations, settings.shutdownDelayMs)
  })
  operations?.readiness.started()
  return {
    port: gateway.port,
    operationsPort: operations?.port,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
})

function readAllPeers(reader: EnvReader) {
  const peers = readPeerSettings(reader)
  for (const [name, urls] of Object.entries(peers.urls)) {
    if (urls?.length === 0)
      reader.problems.push(`${peerSettingOf(name)} is required: the address of the ${name} service`)
  }
  return peers
}

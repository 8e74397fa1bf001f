import { readSettings } from '../config/config.js'
import { Lifecycle } from '../lifecycle/lifecycle.js'
import { createLogger } from '../log.js'
import { openObjectStore } from '../objects/settings.js'
import { announceShutdown } from '../operations/announce-shutdown.js'
import { openOperations } from '../operations/open.js'
import { readOperationsSettings, readStopSettings } from '../operations/settings.js'
import { serveHttp2 } from '../rpc/http2.js'
import { clientInterceptor } from '../rpc/interceptors.js'
import { connectPeers } from '../rpc/peers.js'
import { readPeerSettings, readProcessSettings, readRuntimeSettings } from '../settings/runtime.js'
import { openTracing } from '../tracing/open.js'
import { readTracingSettings } from '../tracing/settings.js'
import { internalKeyPurpose, operationsServers } from './rpc-server.js'
import { type RunningProcess, runProcess } from './run-process.js'
import type { Service } from './service.js'
import { startService } from './start-service.js'

export type ServedService = RunningProcess

/** Serves one service over HTTP/2, configured by the environment. */
export async function startServing(
  service: Service,
  env: Record<string, string | undefined>,
): Promise<ServedService> {
  // The service's own settings are read here too, so that one error lists all problems.
  const settings = readSettings(env, (reader) => {
    const process = readProcessSettings(reader)
    if (service.storesObjects && !process.s3 && !process.objectsDir) {
      reader.problems.push('S3_ENDPOINT or OBJECTS_DIR is required for the objects')
    }
    return {
      ...process,
      ...readRuntimeSettings(reader),
      ...readPeerSettings(reader),
      ...readStopSettings(reader),
      operations: readOperationsSettings(reader),
      tracing: readTracingSettings(reader),
      own: service.config(reader),
    }
  })
  const { rpcHost: host, rpcPort: port = 0, reflection, shutdownTimeoutMs, tls } = settings
  const { logLevel } = settings
  const internalKeys = settings.keys.derive(internalKeyPurpose)
  const lifecycle = new Lifecycle()
  try {
    const serviceName = `figbase-${service.name}`
    const tracing = await openTracing(settings.tracing, { serviceName, logLevel })
    lifecycle.onStop(() => tracing?.[Symbol.asyncDispose]())
    const operations = await openOperations(settings.operations)
    lifecycle.onStop(() => operations?.[Symbol.asyncDispose]())
    const interceptors = [clientInterceptor(internalKeys)]
    const peers = connectPeers(settings.urls, interceptors, { settings: settings.calls })
    lifecycle.onStop(() => peers[Symbol.asyncDispose]())
    const { transportTo } = peers
    const objects = openObjectStore(settings.s3, settings.objectsDir)
    const started = await startService(service, { env, objects, transportTo, operations, tracing })
    lifecycle.onStop(() => started[Symbol.asyncDispose]())
    const log = createLogger(service.name, logLevel)
    const address = { host, port, reflection, shutdownTimeoutMs, tls, log }
    const server = await serveHttp2([started.server, ...operationsServers([started])], address)
    lifecycle.onStop(() => server[Symbol.asyncDispose]())
    lifecycle.onStop(started.stop)
    await started.work()
    lifecycle.onStop(() => announceShutdown(operations, settings.shutdownDelayMs))
    operations?.readiness.started()
    return {
      port: server.port,
      operationsPort: operations?.port,
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

/** The `main.ts` of a service. */
export async function serve(service: Service): Promise<void> {
  await runProcess(() => startServing(service, process.env))
}

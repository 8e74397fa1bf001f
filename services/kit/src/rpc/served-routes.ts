import type { DescService } from '@bufbuild/protobuf'
import { type ConnectRouter, createContextValues } from '@connectrpc/connect'
import type { UniversalHandler, UniversalHandlerFn } from '@connectrpc/connect/protocol'
import { Health } from '@figbase/proto/health'
import { ServerReflection } from '@figbase/proto/reflection'
import { type CallerKeys, callerKey, readCaller } from './caller.js'
import { type HealthChecks, healthOf } from './health.js'
import type { LocalServer } from './local-transport.js'
import { reflectionOf } from './reflection.js'

/** A service to serve: its routes, the keys of its callers and its health check. */
export type RpcServed = LocalServer & { callerKeys: CallerKeys; isHealthy(): Promise<boolean> }

export type ServedOptions = {
  /** Whether to serve gRPC reflection. */
  reflection?: boolean
  /** Aborted at shutdown. */
  stopping: AbortSignal
}

/**
 * The routes of one port, each service with its own interceptors. Only health and reflection need no authentication.
 */
export function servedRoutes(served: RpcServed[], { reflection, stopping }: ServedOptions) {
  return (router: ConnectRouter): void => {
    const checks: HealthChecks = new Map()
    const services: DescService[] = [Health]
    for (const { routes, interceptors, callerKeys, isHealthy } of served) {
      const guarded: ConnectRouter = {
        handlers: router.handlers,
        service(service, implementation, options) {
          services.push(service)
          checks.set(service.typeName, isHealthy)
          const { length } = router.handlers
          router.service(service, implementation, { ...options, interceptors })
          const added = router.handlers.splice(length)
          router.handlers.push(...added.map((handler) => authenticateFirst(handler, callerKeys)))
          return guarded
        },
        rpc() {
          throw new Error('register whole services, not single methods')
        },
      }
      routes(guarded)
    }
    router.service(Health, healthOf(checks, stopping))
    if (!reflection) return
    services.push(ServerReflection)
    router.service(ServerReflection, reflectionOf(services))
  }
}

/**
 * Authenticates before the message is read, because interceptors only run after a whole message. An error replaces the
 * message, so that it is sent in the protocol of the call.
 */
function authenticateFirst(handler: UniversalHandler, keys: CallerKeys): UniversalHandler {
  const guarded: UniversalHandlerFn = async (req) => {
    try {
      const caller = await readCaller(req, handler.method, keys)
      const contextValues = (req.contextValues ?? createContextValues()).set(callerKey, caller)
      return handler({ ...req, contextValues })
    } catch (error) {
      return handler({ ...req, body: failing(error) })
    }
  }
  return Object.assign(guarded, handler)
}

const failing = (error: unknown): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
})

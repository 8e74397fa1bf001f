import type { DescService } from '@bufbuild/protobuf'
import { type ConnectRouter, createContextValues } from '@connectrpc/connect'
import type { UniversalHandler, UniversalHandlerFn } from '@connectrpc/connect/protocol'
import { Health } from '@figbase/proto/health'
import { ServerReflection } from '@figbase/proto/reflection'
import { type CallerKeys, callerKey, readCaller } from './caller.js'
import { type HealthChecks, healthOf } from './health.js'
import type { LocalServer } from './local-transport.js'
import { reflectionOf } from './reflection.js'

/** What serves calls, by what it knows its callers, and whether it can serve. */
export type RpcServed = LocalServer & { callerKeys: CallerKeys; isHealthy(): Promise<boolean> }

export type ServedOptions = {
  /** Whether callers may ask what is served. */
  reflection?: boolean
  /** Aborted when the server stops. */
  stopping: AbortSignal
}

/**
 * The routes of one port: each service behind its own interceptors. Health and reflection alone
 * are open to everyone.
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
          router.handlers.push(...added.map((handler) => refusingFirst(handler, callerKeys)))
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
 * Refuses a caller without credentials before anything of the message is read: interceptors come
 * after a whole one. The error takes the message's place, so that it leaves in the protocol of the
 * call.
 */
function refusingFirst(handler: UniversalHandler, keys: CallerKeys): UniversalHandler {
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

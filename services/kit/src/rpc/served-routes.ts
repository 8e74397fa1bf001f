import type { DescService } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
import { Health } from '@figbase/proto/health'
import { ServerReflection } from '@figbase/proto/reflection'
import { type HealthChecks, healthOf } from './health.js'
import type { LocalServer } from './local-transport.js'
import { reflectionOf } from './reflection.js'

/** What serves calls, and whether it can. */
export type RpcServed = LocalServer & { isHealthy(): Promise<boolean> }

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
    for (const { routes, interceptors, isHealthy } of served) {
      const guarded: ConnectRouter = {
        handlers: router.handlers,
        service(service, implementation, options) {
          services.push(service)
          checks.set(service.typeName, isHealthy)
          router.service(service, implementation, { ...options, interceptors })
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

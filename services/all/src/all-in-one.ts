import { join } from 'node:path'
import { catalog } from '@figbase/catalog'
import { comments } from '@figbase/comments'
import { compute } from '@figbase/compute'
import { startGateway } from '@figbase/gateway'
import { identity } from '@figbase/identity'
import { type EnvReader, readSettings } from '@figbase/kit/config'
import { openObjectStore, readS3Settings } from '@figbase/kit/objects'
import {
  announceShutdown,
  openOperations,
  readOperationsSettings,
  readStopSettings,
} from '@figbase/kit/operations'
import { compose, Lifecycle, type Service } from '@figbase/kit/service'
import { readLogLevel } from '@figbase/kit/settings'
import { openTracing, readTracingSettings } from '@figbase/kit/tracing'
import { revisions } from '@figbase/revisions'
import { search } from '@figbase/search'
import { storiesAi } from '@figbase/stories-ai'
import { tasks } from '@figbase/tasks'
import { adminPasswordName } from './admin-password.js'
import type { ProductOptions, RunningProduct } from './product.js'
import { secretsEnv } from './secrets.js'

// Services stop in reverse order: jobs report to tasks until they end.
export const services: Service[] = [
  tasks,
  identity,
  catalog,
  revisions,
  comments,
  search,
  storiesAi,
  compute,
]

const readIsolation = (env: EnvReader) => ({
  isolate: env.bool(
    'CALLS_ISOLATED',
    false,
    'serializes calls within one process as on the wire; for tests',
  ),
})

/** Starts the gateway and all services in this process. */
export async function startAllInOne(options: ProductOptions): Promise<RunningProduct> {
  const { databaseUrl, dataDir, secrets } = options
  const env = {
    ...options.env,
    DATABASE_URL: databaseUrl,
    ...secretsEnv(secrets),
    ADMIN_PASSWORD_FILE: join(dataDir, adminPasswordName),
    MAIL_DIR: options.env.MAIL_DIR || join(dataDir, 'mail'),
    COMPUTE_LOCAL_DIR: options.env.COMPUTE_LOCAL_DIR || join(dataDir, 'compute'),
  }
  const { isolate, s3, logLevel, ...settings } = readSettings(env, (reader) => ({
    ...readIsolation(reader),
    s3: readS3Settings(reader),
    ...readStopSettings(reader),
    logLevel: readLogLevel(reader),
    operations: readOperationsSettings(reader),
    tracing: readTracingSettings(reader),
  }))
  const objects = openObjectStore(s3, join(dataDir, 'objects'))
  const lifecycle = new Lifecycle()
  try {
    const tracing = await openTracing(settings.tracing, { serviceName: 'figbase', logLevel })
    lifecycle.onStop(() => tracing?.[Symbol.asyncDispose]())
    const operations = await openOperations(settings.operations)
    lifecycle.onStop(() => operations?.[Symbol.asyncDispose]())
    const composition = await compose(services, { env, objects, isolate, operations, tracing })
    lifecycle.onStop(() => composition[Symbol.asyncDispose]())
    const { transportTo, checks } = composition
    const gateway = await startGateway({ env, transportTo, checks, operations, tracing })
    lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
    lifecycle.onStop(() => {
      gateway.leave()
      return announceShutdown(operations, settings.shutdownDelayMs)
    })
    operations?.readiness.started()
    return {
      url: gateway.url,
      ...(operations && { operations: `port ${operations.port}` }),
      ...(composition.rpcPort !== undefined && { rpc: `port ${composition.rpcPort}` }),
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

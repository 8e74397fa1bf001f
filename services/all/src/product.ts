import type { Failure } from './failure.js'
import type { Secrets } from './secrets.js'

export type ProductOptions = {
  env: NodeJS.ProcessEnv
  databaseUrl: string
  dataDir: string
  secrets: Secrets
}

/** A started product, in either topology. */
export type RunningProduct = AsyncDisposable & {
  url: string
  /** Where gRPC callers connect, as text for the operator. */
  rpc?: string
  /** Where its metrics are, as text for the operator. */
  operations?: string
  /** Resolves when a part of it ends unexpectedly. */
  died?: Promise<Failure>
  /** Stops at once, without draining. */
  abandon?(): void
}

export type StartProduct = (options: ProductOptions) => Promise<RunningProduct>

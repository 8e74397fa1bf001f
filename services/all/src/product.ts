import type { Failure } from './failure.js'
import type { Secrets } from './secrets.js'

export type ProductOptions = {
  env: NodeJS.ProcessEnv
  databaseUrl: string
  dataDir: string
  secrets: Secrets
}

/** What the launcher starts, in either topology. */
export type RunningProduct = AsyncDisposable & {
  url: string
  /** Where gRPC callers reach it, in words for people. */
  rpc?: string
  /** Where its metrics are, in words for people. */
  operations?: string
  /** Resolves when a part of it ends though nobody stopped it. */
  died?: Promise<Failure>
  /** Ends it at once, without waiting for anything. */
  abandon?(): void
}

export type StartProduct = (options: ProductOptions) => Promise<RunningProduct>

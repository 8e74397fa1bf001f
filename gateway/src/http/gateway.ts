import type { IncomingMessage } from 'node:http'
import type { RequestLimiter } from '@figbase/kit/limits'
import type { Logger } from '@figbase/kit/log'
import type { CredentialReaders, ReadSite } from '@figbase/kit/rpc'
import type { Principal } from '@figbase/proto/common'
import type { Config } from '../config.js'
import type { Route, Services } from '../endpoint.js'
import type { ParquetPool } from '../pages/tables/parquet-pool.js'
import type { BodyReader } from './body-reader.js'
import type { FindEndpoint } from './router.js'

/** The dependencies of all requests. */
export type Gateway = {
  cfg: Config
  services: Services
  log: Logger
  credentials: CredentialReaders
  bodyReader: BodyReader
  requests: RequestLimiter
  readSite: ReadSite
  parquet: ParquetPool
  startedOn: Date
  addressOf(req: IncomingMessage): string
  find: FindEndpoint
  stopping: AbortSignal
}

export type Match = { endpoint: Route; params: Record<string, string | undefined> }

/** Who sent a request. `address`: the normalized client address. */
export type Caller = { principal: Principal; requestId: string; address: string }

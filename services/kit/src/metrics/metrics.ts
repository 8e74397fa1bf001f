import type { DescMethod } from '@bufbuild/protobuf'
import type pg from 'pg'
import type { EventDepth } from '../events/depth.js'
import type { JobDepth } from '../jobs/depth.js'

/** Records a served call: code by name (`Ok`, `NotFound`, …), duration in milliseconds. */
export type CallServed = (method: DescMethod, code: string, ms: number) => void

/** Records an HTTP request: `route` is a template, never a path; duration in milliseconds. */
export type RequestServed = (method: string, route: string, status: number, ms: number) => void

/** Readers of queue depths; each is called once at a time. */
export type DepthReaders = {
  jobs?: () => Promise<JobDepth[]>
  events?: () => Promise<EventDepth>
}

/** Metrics of a process. Label values come from the code, never from callers. */
export type Metrics = Disposable & {
  requestServed: RequestServed
  callServed(service: string): CallServed
  /** Adds the connection pools of a service, by purpose. */
  watchPools(service: string, pools: Record<string, pg.Pool>): void
  watchDepths(service: string, readers: DepthReaders): void
  contentType: string
  /** All metrics in the Prometheus text format; those that cannot be read in time are omitted. */
  text(): Promise<string>
}

import type { DescMethod } from '@bufbuild/protobuf'
import type pg from 'pg'
import type { EventDepth } from '../events/depth.js'
import type { JobDepth } from '../jobs/depth.js'

/** Tells of one call that a service served: its code by name (`Ok`, `NotFound`, …), in milliseconds. */
export type CallServed = (method: DescMethod, code: string, ms: number) => void

/** Tells of one HTTP request: `route` is a template, never a path; in milliseconds. */
export type RequestServed = (method: string, route: string, status: number, ms: number) => void

/** Reads how much waits; asked at most once at a time. */
export type DepthReaders = {
  jobs?: () => Promise<JobDepth[]>
  events?: () => Promise<EventDepth>
}

/** What a process measures. Labels come from what the code lists, never from callers. */
export type Metrics = Disposable & {
  requestServed: RequestServed
  callServed(service: string): CallServed
  /** The connection pools of a service, by what each is for. */
  watchPools(service: string, pools: Record<string, pg.Pool>): void
  watchDepths(service: string, readers: DepthReaders): void
  contentType: string
  /** All of it, in the text format of Prometheus; what cannot be read in time is left out. */
  text(): Promise<string>
}

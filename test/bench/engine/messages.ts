export type Part = 'events' | 'jobs'

/** Must be sent first. */
export type Start = {
  kind: 'start'
  part: Part
  databaseUrl: string
  /** Empty: events are delivered by PostgreSQL. */
  natsUrl: string
  /** The number of consumers; each gets every event. */
  consumers: number
  /** Concurrency of jobs; default if omitted. */
  places?: number
}

/** Publishes or enqueues at full load, and waits until everything has been handled. */
export type Flood = {
  kind: 'flood'
  count: number
  /** The number per transaction. */
  together: number
  /** The maximum queue length. */
  waitingMax: number
}

/** The baseline: a transaction that inserts a row with the same text. */
export type FloorFlood = { kind: 'floor'; count: number }
export type FloodResult = { seconds: number }

/** Publishes or enqueues at a constant rate. */
export type Pace = { kind: 'pace'; perSecond: number; seconds: number }
/** Latencies from the commit of the publisher to the commit of the effect, or to the start of the job. */
export type PaceResult = { p50Ms: number; p99Ms: number }

export type Question = Start | Flood | FloorFlood | Pace

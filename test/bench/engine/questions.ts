export type Part = 'events' | 'jobs'

/** To be asked first. */
export type Start = {
  kind: 'start'
  part: Part
  databaseUrl: string
  /** Empty: PostgreSQL carries the events. */
  natsUrl: string
  /** Each gets every event. */
  consumers: number
  /** Jobs that run at a time; absent: the default. */
  places?: number
}

/** Publishes or enqueues so many as fast as it can, and waits until all have been handled. */
export type Flood = {
  kind: 'flood'
  count: number
  /** In one transaction. */
  together: number
  /** How many may wait at a time. */
  waitingMax: number
}

/** The least that one of a flood could cost: a transaction that inserts a row with the same text. */
export type FloorFlood = { kind: 'floor'; count: number }
export type FloodResult = { seconds: number }

/** Publishes or enqueues one after the other at a steady rate. */
export type Pace = { kind: 'pace'; perSecond: number; seconds: number }
/** From the commit that publishes to the commit of the effect, or to the beginning of the job. */
export type PaceResult = { p50Ms: number; p99Ms: number }

export type Question = Start | Flood | FloorFlood | Pace

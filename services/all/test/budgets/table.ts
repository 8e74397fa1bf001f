/** What one operation may cost, counted. */
export type Budget = {
  /** Statements of the services before the answer. */
  before: number
  /** All of them, with those of the events and jobs that follow from it. */
  inAll: number
  /** Calls to services, those from one to another included. */
  calls: number
  /** Events published. */
  events: number
  /** Calls of the object store. */
  objects: number
}

/**
 * The budget of each main operation, in one process on PostgreSQL. Whoever makes one cheaper lowers its numbers;
 * a raised number needs a reason in its commit. A statement is an entry of PostgreSQL's log with
 * `log_statement = all`: BEGIN and COMMIT count.
 */
export const budgets: Record<string, Budget> = {}

/** Statements a second while nobody asks for anything. */
export const idleStatementsPerSecondMax = 1

/** What one operation may cost at most, counted. */
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
export const budgets: Record<string, Budget> = {
  'read a figure with 10 revisions': { before: 2, inAll: 2, calls: 2, events: 0, objects: 0 },
  'read an analysis with 100 figures': { before: 3, inAll: 3, calls: 2, events: 0, objects: 0 },
  'read a workspace': { before: 2, inAll: 2, calls: 1, events: 0, objects: 0 },
  'list figures': { before: 1, inAll: 1, calls: 1, events: 0, objects: 0 },
  'create a figure': { before: 2, inAll: 12, calls: 1, events: 1, objects: 0 },
  'rename a figure': { before: 8, inAll: 18, calls: 1, events: 1, objects: 0 },
  'move a figure': { before: 16, inAll: 26, calls: 1, events: 2, objects: 0 },
  'delete a figure': { before: 11, inAll: 21, calls: 1, events: 1, objects: 0 },
  'publish a file': { before: 5, inAll: 28, calls: 4, events: 1, objects: 2 },
  'publish a PNG': { before: 5, inAll: 32, calls: 4, events: 2, objects: 2 },
  'derive a revision': { before: 10, inAll: 33, calls: 5, events: 1, objects: 1 },
  'read a warm thumbnail': { before: 3, inAll: 3, calls: 2, events: 0, objects: 0 },
  'comment a figure': { before: 8, inAll: 24, calls: 3, events: 1, objects: 0 },
  'share a figure with a user': { before: 7, inAll: 7, calls: 2, events: 0, objects: 0 },
}

/** Statements a second while nobody asks for anything. */
export const idleStatementsPerSecondMax = 1

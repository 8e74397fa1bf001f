/** Maximum cost of one operation. */
export type Budget = {
  /** Statements of the services before the response. */
  before: number
  /** All statements, including those of the resulting events and jobs. Each statement of a dispatcher counts once. */
  total: number
  /** Calls to services, including those between services. */
  calls: number
  /** Events published. */
  events: number
  /** Calls of the object store. */
  objects: number
}

/**
 * The budget of each main operation, in one process on PostgreSQL. Lower the numbers when an operation becomes cheaper;
 * raising a number needs a reason in the commit. A statement is an entry of PostgreSQL's log with
 * `log_statement = all`, including BEGIN and COMMIT.
 */
export const budgets: Record<string, Budget> = {
  'read a figure with 10 revisions': { before: 2, total: 2, calls: 2, events: 0, objects: 0 },
  'read an analysis with 100 figures': { before: 3, total: 3, calls: 2, events: 0, objects: 0 },
  'read a workspace': { before: 2, total: 2, calls: 1, events: 0, objects: 0 },
  'read an unchanged figure': { before: 1, total: 1, calls: 1, events: 0, objects: 0 },
  'read an unchanged analysis': { before: 2, total: 2, calls: 1, events: 0, objects: 0 },
  'count figures': { before: 1, total: 1, calls: 1, events: 0, objects: 0 },
  'list figures': { before: 1, total: 1, calls: 1, events: 0, objects: 0 },
  'create a figure': { before: 2, total: 18, calls: 3, events: 1, objects: 0 },
  'rename a figure': { before: 8, total: 27, calls: 3, events: 1, objects: 0 },
  'move a figure': { before: 16, total: 37, calls: 4, events: 2, objects: 0 },
  'delete a figure': { before: 11, total: 31, calls: 4, events: 1, objects: 0 },
  'publish a file': { before: 5, total: 38, calls: 9, events: 1, objects: 2 },
  'publish a PNG': { before: 5, total: 49, calls: 10, events: 2, objects: 3 },
  'derive a revision': { before: 10, total: 43, calls: 10, events: 1, objects: 1 },
  'read a warm thumbnail': { before: 3, total: 3, calls: 2, events: 0, objects: 0 },
  'create a story': { before: 11, total: 32, calls: 8, events: 2, objects: 0 },
  'rename a story': { before: 18, total: 40, calls: 8, events: 2, objects: 0 },
  'read a story': { before: 4, total: 4, calls: 4, events: 0, objects: 0 },
  'comment a figure': { before: 8, total: 31, calls: 5, events: 1, objects: 0 },
  'share a figure with a user': { before: 7, total: 20, calls: 3, events: 1, objects: 0 },
  'open home': { before: 5, total: 6, calls: 5, events: 0, objects: 0 },
  'open a workspace': { before: 3, total: 3, calls: 1, events: 0, objects: 0 },
  'open an analysis with 100 figures': { before: 5, total: 5, calls: 2, events: 0, objects: 0 },
  'open a figure with 10 revisions': { before: 9, total: 9, calls: 7, events: 0, objects: 0 },
  'load the picture of a figure': { before: 3, total: 3, calls: 2, events: 0, objects: 0 },
  'list 60 figures by name': { before: 4, total: 4, calls: 2, events: 0, objects: 0 },
  'compare two revisions': { before: 15, total: 15, calls: 7, events: 0, objects: 0 },
  'open a revision': { before: 13, total: 13, calls: 9, events: 0, objects: 0 },
}

import { Code } from '@connectrpc/connect'
import { detailOf, hasCode, invalidAll, type Violation } from './errors.js'

type Checks = Record<string, () => unknown>
type Checked<T extends Checks> = { [Name in keyof T]: ReturnType<T[Name]> }

/**
 * Runs all checks and returns their values by name. `invalid` errors of several checks are thrown as one that lists
 * all violations; any other error is thrown at once.
 */
export function validateAll<T extends Checks>(checks: T): Checked<T> {
  const violations: Violation[] = []
  const values: Record<string, unknown> = {}
  for (const [name, check] of Object.entries(checks)) {
    try {
      values[name] = check()
    } catch (error) {
      violations.push(...violationsIn(error))
    }
  }
  const [first, ...others] = violations
  if (first) throw invalidAll([first, ...others])
  return values as Checked<T>
}

function violationsIn(error: unknown): Violation[] {
  const fields = hasCode(error, Code.InvalidArgument) ? detailOf(error)?.fields : undefined
  if (!fields || fields.length === 0) throw error
  return fields.map(({ field, reason }) => ({ field, reason }))
}

import { invalidAll, type Violation } from '@figbase/kit/errors'
import { closestMatch } from 'leven'
import { z } from 'zod'
import { problemsMax } from './errors.js'

/** Parses a value with a schema; throws a 400 that lists the invalid members. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: messageFor })
  if (result.success) return result.data
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const [first, ...others] = result.error.issues
    .flatMap((issue) => violationsOf(issue, value, known))
    .slice(0, problemsMax)
  throw invalidAll([first ?? { field: '', reason: 'invalid request' }, ...others])
}

type Issue = z.core.$ZodIssue

function violationsOf(issue: Issue, value: unknown, known: string[]): Violation[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, problemsMax).map((name) => ({
      field: nameOf([...issue.path, shortened(name)]),
      reason: `unknown member${suggestion(name, issue.path.length === 0 ? known : [])}`,
    }))
  }
  const field = nameOf(issue.path)
  if (isMissing(issue, value)) return [{ field, reason: 'is required' }]
  return [{ field, reason: field === '' ? `the body ${issue.message}` : issue.message }]
}

const nameOf = (path: PropertyKey[]) =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number'
        ? `${name}[${part}]`
        : name
          ? `${name}.${String(part)}`
          : String(part),
    '',
  )

/** Zod does not distinguish a missing value from one of the wrong type. */
function isMissing({ code, path }: Issue, value: unknown) {
  if (path.length === 0 || !['invalid_type', 'invalid_value', 'invalid_union'].includes(code)) {
    return false
  }
  const found = path.reduce<unknown>(
    (container, part) => (container as Record<PropertyKey, unknown> | null | undefined)?.[part],
    value,
  )
  return found === undefined
}

const namesLengthMax = 100

const shortened = (name: string) =>
  name.length > namesLengthMax ? `${name.slice(0, namesLengthMax)}…` : name

/** Suggests the closest known name if at most a third of the letters differ. */
function suggestion(name: string, known: string[]) {
  if (name.length > namesLengthMax) return ''
  const closest = closestMatch(name, known, { maxDistance: Math.ceil(name.length / 3) })
  return closest === undefined ? '' : `; did you mean ${closest}?`
}

/** The messages of schemas without custom ones. */
function messageFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') {
    return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
  }
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  return undefined
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'a list',
}

import type { z } from 'zod'
import { badRequest } from './errors.js'

/** The value as the schema has it; 400 that names the first member that is wrong. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (!issue) throw badRequest('the request is not valid')
  const field = issue.path.reduce<string>(
    (path, part) =>
      typeof part === 'number'
        ? `${path}[${part}]`
        : path
          ? `${path}.${String(part)}`
          : String(part),
    '',
  )
  throw badRequest(field ? `${field}: ${issue.message}` : `the body: ${issue.message}`)
}

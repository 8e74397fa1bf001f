import { SchemaOutdated } from '@figbase/kit/service'
import { Failure } from './failure.js'

/** Rethrows SchemaOutdated as a Failure, for commands that use the tables of a service. */
export function explainSchema(cause: unknown): never {
  if (!(cause instanceof SchemaOutdated)) throw cause
  throw new Failure(
    'the database schema is not up to date',
    'Run figbase-server migrate, or start Figbase once: both migrate it.',
    { cause },
  )
}

import { SchemaBehind } from '@figbase/kit'
import { Failure } from './failure.js'

/** For commands that work with the rows of a service. */
export function explainSchema(cause: unknown): never {
  if (!(cause instanceof SchemaBehind)) throw cause
  throw new Failure(
    'the database is of an older version of Figbase',
    'Run the command migrate, or start Figbase once: either brings it to this version.',
    { cause },
  )
}

import type { Migration } from '@figbase/kit/db'
import { busMigrations, busSchema } from '@figbase/kit/events'
import { migrationListsOf } from '@figbase/kit/migrations'
import { services } from '../../../src/all-in-one.js'

export type Schema = {
  name: string
  /** New migrations are appended to a list. */
  lists: Migration[][]
  /** Constraints that the service uses in error handling, by name. */
  constraints: string[]
}

/** All schemas of the product in the current version. */
export const schemas: Schema[] = [
  ...services.map((service) => ({
    name: service.name,
    lists: migrationListsOf(service),
    constraints: Object.keys(service.byConstraint ?? {}).sort(),
  })),
  { name: busSchema, lists: [busMigrations], constraints: [] },
]

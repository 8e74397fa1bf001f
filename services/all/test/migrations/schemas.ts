import { busMigrations, busSchema, type Migration, migrationListsOf } from '@figbase/kit'
import { services } from '../../src/all-in-one.js'

export type Schema = {
  name: string
  /** New ones come at the end of each. */
  lists: Migration[][]
  /** Constraints by whose names a service knows what is wrong. */
  constraints: string[]
}

/** All schemas of the product as this tree makes them. */
export const schemas: Schema[] = [
  ...services.map((service) => ({
    name: service.name,
    lists: migrationListsOf(service),
    constraints: Object.keys(service.byConstraint ?? {}).sort(),
  })),
  { name: busSchema, lists: [busMigrations], constraints: [] },
]
